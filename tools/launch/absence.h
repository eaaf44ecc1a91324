// SPDX-License-Identifier: Apache-2.0
// Explains why a program that a command started never loaded Tarn. One thread, one program.
#pragma once

#include "tools/launch/launch.h"

// Prints in one line that `nothing` was done ("nothing was checked"), why, and what to do. Prints
// nothing for a program that cannot be started.
void tn_absence_explain(const struct tn_launch *launch, const char *nothing);
