// SPDX-License-Identifier: Apache-2.0
// Profiles of pprof: the numbers of the fields of profile.proto, by message, and the names by which
// Tarn's profiles hold more. The writer and the reader share them. No state.
#pragma once

enum { TN_PPROF_PROFILE_TYPE = 1, TN_PPROF_PROFILE_SAMPLE, TN_PPROF_PROFILE_LOCATION = 4 };
enum { TN_PPROF_PROFILE_FUNCTION = 5, TN_PPROF_PROFILE_TEXT, TN_PPROF_PROFILE_TIME_NANOS = 9 };
enum { TN_PPROF_PROFILE_DEFAULT_TYPE = 14 };
enum { TN_PPROF_TYPE_NAME = 1, TN_PPROF_TYPE_UNIT };
enum { TN_PPROF_SAMPLE_LOCATION = 1, TN_PPROF_SAMPLE_VALUE, TN_PPROF_SAMPLE_LABEL };
enum { TN_PPROF_LABEL_KEY = 1, TN_PPROF_LABEL_TEXT, TN_PPROF_LABEL_NUMBER, TN_PPROF_LABEL_UNIT };
enum { TN_PPROF_LOCATION_ID = 1, TN_PPROF_LOCATION_ADDRESS = 3, TN_PPROF_LOCATION_LINE };
enum { TN_PPROF_LINE_FUNCTION = 1, TN_PPROF_LINE_NUMBER };
enum { TN_PPROF_FUNCTION_ID = 1, TN_PPROF_FUNCTION_NAME };
enum { TN_PPROF_FUNCTION_SYSTEM_NAME = 3, TN_PPROF_FUNCTION_FILE };

// The place of a stack that was not recorded, and the device of memory of the host.
#define TN_PPROF_NO_STACK "(no stack recorded)"
#define TN_PPROF_HOST     "host"

// The most objects of a sample that the reader takes apart.
#define TN_PPROF_SAME_BLOCKS 4096
