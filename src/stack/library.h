// SPDX-License-Identifier: Apache-2.0
// Tells Tarn's libraries from those of a program, by name: debug information may hold any path.
#pragma once

#include <stdbool.h>
#include <string.h>

// Returns true for Tarn's libraries, and for those that it injects. A face has a vendor's name in a folder of
// ours. NULL is of the program.
static inline bool tn_stack_is_of_tarn(const char *object) {
    if (object == NULL) return false;
    const char *slash = strrchr(object, '/');
    return strncmp(slash != NULL ? slash + 1 : object, "libtarn", 7) == 0 ||
           strstr(object, "/lib/tarn/") != NULL;
}
