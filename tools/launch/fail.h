// SPDX-License-Identifier: Apache-2.0
// The option --fail of commands that start programs. One thread.
#ifndef TARN_TOOLS_LAUNCH_FAIL_H
#define TARN_TOOLS_LAUNCH_FAIL_H

#include <stdbool.h>
#include <stddef.h>

struct tn_fail_option {
    char text[2048]; // all values, separated by semicolons
};

// Adds a value. Returns false if there are too many.
bool tn_fail_option_add(struct tn_fail_option *option, const char *text);

// Returns false if a spec is wrong, or names a function or an error that no face has. `why` receives
// the reason.
bool tn_fail_option_check(const struct tn_fail_option *option, char *why, size_t room);

#endif
