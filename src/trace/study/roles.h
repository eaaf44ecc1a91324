// SPDX-License-Identifier: Apache-2.0
// The roles of blocks in a training program: parameters, gradients, activations and so on. Where
// the recording does not name them, they are inferred from the phase of birth, the span of life and
// the stacks of automatic differentiation. The caller owns them. Any thread may read them.
#ifndef TARN_TRACE_STUDY_ROLES_H
#define TARN_TRACE_STUDY_ROLES_H

#include "trace/study/holders.h"

struct tn_roles {
    uint64_t bytes[TN_CATEGORY_COUNT]; // of the live blocks of the moment
    uint64_t counts[TN_CATEGORY_COUNT];
    bool known;    // roles were found
    bool inferred; // not recorded
};

// Sums the blocks of a moment by their roles. Fails with NO_HOST_MEMORY.
tarn_status tn_roles_make(const struct tn_holder_keys *keys, const struct tn_moment *moment,
                          struct tn_roles *roles);

// Returns the name of a category for people, such as "optimizer state".
const char *tn_role_name(enum tn_trace_category category);

#endif
