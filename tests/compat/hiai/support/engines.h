// SPDX-License-Identifier: Apache-2.0
// The engines behind hiai.h. Of the process: each has one set.
#pragma once

#include "support/hiai.h"

struct order {
    uint32_t kind;
    uint32_t a, b;
};

// Once.
void engines_register(void);
// Frames, replies and pointers that came and that nobody asked for.
void engines_forget(void);
