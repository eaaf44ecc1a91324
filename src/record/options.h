// SPDX-License-Identifier: Apache-2.0
// The options of a recording, which `tarn record` passes by the environment. Constant after
// tn_record_options_read(), which the constructor of the library calls.
#pragma once

#include <limits.h>
#include <stdbool.h>

// The variables. TARN_RECORD_FILE is the path; without it nothing is recorded.
#define TN_RECORD_FILE_VARIABLE    "TARN_RECORD_FILE"
#define TN_RECORD_STACKS_VARIABLE  "TARN_RECORD_STACKS"  // frames, 0 to 48
#define TN_RECORD_SIGNAL_VARIABLE  "TARN_RECORD_SIGNAL"  // a number, or 0
#define TN_RECORD_STOPPED_VARIABLE "TARN_RECORD_STOPPED" // 1: begins stopped

enum { TN_RECORD_STACKS_DEFAULT = 24, TN_RECORD_STACKS_MAX = 48 };

struct tn_record_options {
    char path[PATH_MAX];
    unsigned stacks;
    int signal;
    bool stopped;
};

extern struct tn_record_options tn_record_options;

// Returns false if nothing is to be recorded.
bool tn_record_options_read(void);
