// SPDX-License-Identifier: Apache-2.0
// Short names of calls for people. Recordings come from anywhere, so bytes that could control a
// terminal are replaced. Pure functions; any thread may call.
#pragma once

#include "trace/trace.h"

// Rooms that hold the names of functions and files, and both together.
enum { TN_NAME_PART = 96, TN_NAME_CALL = 2 * TN_NAME_PART + 16 };

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
// Text of the recording as it is.
const char *tn_name_text(const char *text, char *name, size_t room);

// Names by which calls can be told from each other (distinct.h). `detail` has for each text of the
// trace the folders that a file shows, or 1 for a function that is shown whole. NULL: all are short.
const char *tn_name_function_of(const struct tn_trace *trace, const uint8_t *detail, uint64_t call,
                                char name[TN_NAME_PART]);
const char *tn_name_file_of(const struct tn_trace *trace, const uint8_t *detail, uint64_t call,
                            char name[TN_NAME_PART]);
// "function (file:line)" of a call, without the line if it is not known or not wanted, and without
// the parentheses if the file is not known.
const char *tn_name_call(const struct tn_trace *trace, const uint8_t *detail, uint64_t call,
                         bool with_line, char name[TN_NAME_CALL]);

// A function with its arguments, and the end of a path with a number of folders, which is empty if
// the file is not known. Where the room is too small, the middle is left out, or the beginning.
const char *tn_name_whole(const char *function, char *name, size_t room);
const char *tn_name_path(const char *path, unsigned folders, char *name, size_t room);
