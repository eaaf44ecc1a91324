// SPDX-License-Identifier: Apache-2.0
// A library that a command injects into the program it starts. One thread.
#pragma once

#include "tools/launch/launch.h"

// Finds a library in lib/tarn/PART and loads it into this process, because a program in which it
// cannot be loaded runs without it. Returns false, with the loader's reason, if that
// fails.
bool tn_inject_find(const char *part, const char *library, char path[PATH_MAX]);

// Prints in one line why the library did not do its work, which it did in some process if `done`: it
// failed, or a process that uses Tarn did not load it. Returns false if neither is so, or if the
// program can load no library; tn_absence_explain() says so.
bool tn_inject_failed(const struct tn_launch *launch, const char *library, bool done);
