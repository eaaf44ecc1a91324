// SPDX-License-Identifier: Apache-2.0
// The log of a face: its own variable comes before TARN_LOG. The lines are those of src/base/log.h.
#pragma once

#include "src/base/log.h"

// A declaration of a face: names its variable, when the library is loaded.
#define TN_FACE_LOG(variable)                                                                      \
    __attribute__((constructor)) static void select_log(void) { tn_log_use(variable); }            \
    _Static_assert(sizeof(variable) > 1, "a variable")
