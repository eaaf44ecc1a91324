// SPDX-License-Identifier: Apache-2.0
// The roles of blocks in a training program: parameters, gradients, activations and so on. Where
// the recording does not name them, each block gets the set of roles that are possible by its life
// and its stack. Only certain roles are reported. The caller owns them. Any thread may read them.
#pragma once

#include "trace/study/holders.h"

enum { TN_ROLE_GROUPS = 16 };

// Blocks of which only a set of roles is known.
struct tn_role_group {
    unsigned roles; // 1 << enum tn_trace_category, two at least
    uint64_t bytes;
    uint64_t count;
};

// The reasons for which no role can be inferred.
enum tn_role_lack {
    TN_ROLES_TOLD,
    TN_ROLES_NO_HISTORY,  // a state, or samples
    TN_ROLES_NO_STACKS,   // no block has a stack
    TN_ROLES_NO_BACKWARD, // no backward pass: the program does not train, or its stacks lack it
    TN_ROLES_NO_STEP,     // no step of an optimizer after a backward pass
    TN_ROLES_SHARDED,     // parameters are flattened or divided among devices
    TN_ROLES_UNCERTAIN    // no block of the moment has one role only
};

struct tn_roles {
    uint64_t bytes[TN_CATEGORY_COUNT]; // of the live blocks of the moment that have one role only
    struct tn_role_group groups[TN_ROLE_GROUPS]; // the other blocks, most bytes first
    size_t group_count;
    unsigned open; // the roles of all groups: `bytes` of these are lower bounds
    bool known;    // roles were found
    bool inferred; // not recorded
    enum tn_role_lack lack;
};

// Sums the blocks of a moment by their roles. Fails with NO_HOST_MEMORY.
tarn_status tn_roles_make(const struct tn_tables *keys, const struct tn_moment *moment,
                          struct tn_roles *roles);

// Returns the name of an enum tn_trace_category for people, such as "optimizer state". Where
// categories are inferred, TN_CATEGORY_UNKNOWN stands for what has no other name.
const char *tn_role_name(int category, bool inferred);
