// SPDX-License-Identifier: Apache-2.0
// Variables of the environment, by which users configure a face. An empty one counts as unset.
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline const char *tn_face_variable(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

static inline bool tn_face_variable_is(const char *name, const char *value) {
    return strcmp(tn_face_variable(name, ""), value) == 0;
}

// Returns true if the variable is set, and not to 0.
static inline bool tn_face_switch(const char *name) {
    return strcmp(tn_face_variable(name, "0"), "0") != 0;
}
