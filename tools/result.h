// SPDX-License-Identifier: Apache-2.0
// The result of a command as JSON. All commands print one object that begins with the same members:
// docs/command.md describes them. No state; any thread may call.
#ifndef TARN_TOOLS_RESULT_H
#define TARN_TOOLS_RESULT_H

#include <jansson.h>
#include <stdio.h>

// The version of all results: raised when a member changes its meaning or goes away.
enum { TN_RESULT_SCHEMA = 1 };

// Prints the members that all results share, and those of `members`, which it releases. Write errors
// stay in the file, for ferror().
void tn_result_print(FILE *file, const char *command, json_t *members);

#endif
