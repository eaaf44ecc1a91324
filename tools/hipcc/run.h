// SPDX-License-Identifier: Apache-2.0
// Starts the compiler, and the folder of files between its steps. One thread.
#pragma once

#include "tools/hipcc/words.h"

// Runs a command and waits. If `output` is not NULL, it receives what the command writes to standard
// output. Returns its exit status, or 128 and the number of the signal that ended it. With `is_dry` the
// command is only printed, with `is_verbose` before it runs.
int tn_hipcc_run(const struct tn_hipcc_words *command, bool is_dry, bool is_verbose, char **output,
                 size_t *bytes);

// Returns a path in the folder for files between steps, which ends with this process.
char *tn_hipcc_temporary(const char *name);

// Writes a file. Returns false after a message.
bool tn_hipcc_save(const char *path, const char *text, size_t bytes);
