// SPDX-License-Identifier: Apache-2.0
// Programs that a command started and that never loaded Tarn: whether it is so, and why. One thread,
// one program.
#ifndef TARN_TOOLS_LAUNCH_ABSENCE_H
#define TARN_TOOLS_LAUNCH_ABSENCE_H

#include <stdbool.h>

#include "tools/launch/launch.h"

// Sets the environment so that each process which loads Tarn reports it. Returns false, with a
// message in the name of `command`, if that fails.
bool tn_absence_watch(const char *command);

// Returns true if no process has reported.
bool tn_absence_is_certain(void);

// Prints in one line that `nothing` was done ("nothing was checked"), why, and what to do. Prints
// nothing for a program that cannot be started.
void tn_absence_explain(const struct tn_launch *launch, const char *command, const char *nothing);

#endif
