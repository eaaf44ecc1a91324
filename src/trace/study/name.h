// SPDX-License-Identifier: Apache-2.0
// Short names of calls for people. Recordings come from anywhere, so bytes that could control a
// terminal are replaced. Pure functions; any thread may call.
#ifndef TARN_TRACE_STUDY_NAME_H
#define TARN_TRACE_STUDY_NAME_H

#include "trace/trace.h"

// Rooms that hold the names of functions and files, and both together.
enum { TN_NAME_PART = 64, TN_NAME_CALL = 2 * TN_NAME_PART + 16 };

// Each writes at most `room` bytes with the NUL to `name`, and returns it.

// The name of a function: "space::Class::function(arguments)" becomes "Class::function". "?" stands
// for an empty one.
const char *tn_name_function(const char *function, char *name, size_t room);
// The part of a path behind its last slash. Empty if the file is not known.
const char *tn_name_file(const char *path, char *name, size_t room);
// Text of the recording as it is.
const char *tn_name_text(const char *text, char *name, size_t room);
// "function (file:line)" of a call, without the line if it is not known or not wanted, and without
// the parentheses if the file is not known.
const char *tn_name_call(const struct tn_trace *trace, uint64_t call, bool with_line,
                         char name[TN_NAME_CALL]);

#endif
