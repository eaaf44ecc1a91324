// SPDX-License-Identifier: Apache-2.0
// Explains why a program that a command started never loaded Tarn. One thread, one program.
#pragma once

#include "tools/launch/launch.h"

// Prints in one line that `nothing` was done ("nothing was checked"), why, and what to do. Prints
// nothing for a program that cannot be started.
void tn_absence_explain(const struct tn_launch *launch, const char *nothing);

// Prints the calls of a program that opened no device, behind a word: the first ones that failed, with their
// reasons. Returns false, and prints nothing, if none failed.
bool tn_absence_list_calls(const struct tn_launch *launch, const char *word);
