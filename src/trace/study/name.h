// SPDX-License-Identifier: Apache-2.0
// Short names of calls for people. Recordings come from anywhere, so bytes that could control a
// terminal are replaced. Pure functions; any thread may call.
#ifndef TARN_TRACE_STUDY_NAME_H
#define TARN_TRACE_STUDY_NAME_H

#include "trace/trace.h"

// Rooms that hold the names of functions and files, and both together.
enum { TN_NAME_PART = 64, TN_NAME_CALL = 2 * TN_NAME_PART + 16 };

// Returns the part of a path behind its last separator, "/" or "\\".
const char *tn_name_base(const char *path);

// Returns the name of a C++ function with its namespaces and classes, but without the type that it
// returns and without its arguments. Stores the length, because it is a part of a longer text.
const char *tn_name_scope(const char *function, size_t *length);

// Returns the name in "at::_ops::NAME::call", an operator of PyTorch, and stores its length. Returns
// NULL for other functions.
const char *tn_name_operator(const char *function, size_t *length);

// Each writes at most `room` bytes with the NUL to `name`, and returns it.

// The name of a function: "space::Class::function(arguments)" becomes "Class::function", and an operator
// of PyTorch "aten::NAME". "?" stands for an empty one.
const char *tn_name_function(const char *function, char *name, size_t room);
// The part of a path behind its last separator. Empty if the file is not known.
const char *tn_name_file(const char *path, char *name, size_t room);
// Text of the recording as it is.
const char *tn_name_text(const char *text, char *name, size_t room);
// "function (file:line)" of a call, without the line if it is not known or not wanted, and without
// the parentheses if the file is not known.
const char *tn_name_call(const struct tn_trace *trace, uint64_t call, bool with_line,
                         char name[TN_NAME_CALL]);

#endif
