// SPDX-License-Identifier: Apache-2.0
// The file that the system runs for a command: its place, the interpreter of a script, and the
// reasons why no library gets into it. One thread.
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

// Finds the file of a program in the folders of PATH. Returns false if there is none.
bool tn_program_search(const char *name, char path[PATH_MAX]);

// Finds the file that execvp() runs for `name`: itself, or the interpreter in the first line of a
// script. Returns false if there is none.
bool tn_program_locate(const char *name, char path[PATH_MAX]);

// Returns true, with the reason as a sentence, if neither the environment nor the dynamic linker
// can load a library of Tarn into the program.
bool tn_program_is_closed(const char *path, char *reason, size_t room);
