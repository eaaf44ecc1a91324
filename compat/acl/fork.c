// SPDX-License-Identifier: Apache-2.0
// See fork.h.
#include "compat/acl/fork.h"

// In the order in which their locks may be taken.
static const tn_face_fork_step parts[] = {
    tn_acl_pool_fork,
};

void tn_acl_fork_watch(void) {
    tn_face_fork_watch(parts, sizeof parts / sizeof parts[0]);
}
