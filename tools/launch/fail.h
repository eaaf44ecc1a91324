// SPDX-License-Identifier: Apache-2.0
// The option --fail of commands that start programs. One thread.
#ifndef TARN_TOOLS_LAUNCH_FAIL_H
#define TARN_TOOLS_LAUNCH_FAIL_H

#include <stdbool.h>
#include <stddef.h>

// Returns false if a spec of the list is wrong, or names a function or an error that no face has. `why`
// receives the reason.
bool tn_fail_check(const char *specs, char *why, size_t room);

#endif
