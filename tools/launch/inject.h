// SPDX-License-Identifier: Apache-2.0
// A library that a command injects into the program it starts. One thread.
#ifndef TARN_TOOLS_LAUNCH_INJECT_H
#define TARN_TOOLS_LAUNCH_INJECT_H

#include <limits.h>
#include <stdbool.h>

// Finds a library in lib/tarn/PART and loads it into this process, because a program in which it
// cannot be loaded runs without it. Returns false, with the loader's reason in the name of `command`,
// if that fails.
bool tn_inject_find(const char *command, const char *part, const char *library,
                    char path[PATH_MAX]);

// Prints why the library failed in a process of the program, in one line. Returns false if it did not
// fail.
bool tn_inject_failed(const char *command);

#endif
