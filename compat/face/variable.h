// SPDX-License-Identifier: Apache-2.0
// The variables of the environment by which users configure a face: those of the table in
// src/base/variable.h, and names of devices, which the platform parses. An empty one counts as unset.
#pragma once

#include "src/base/log.h"
#include "src/base/variable.h"

// The text of a variable that is no row of the table.
static inline const char *tn_face_variable(const char *name, const char *otherwise) {
    const char *text = tn_variable_text(name);
    return text != NULL ? text : otherwise;
}

// Checks the variables of a face and of the library. Returns false if one is bad; `why` names it.
static inline bool tn_face_variables_check(const char *face, char *why, size_t room) {
    if (!tn_variables_check(face, why, room) || !tn_variables_check("", why, room)) return false;
    tn_log_variables(face);
    return true;
}
