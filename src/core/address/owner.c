// SPDX-License-Identifier: Apache-2.0
// See owner.h.
#include "core/address/owner.h"

#include <sched.h>

void tn_owner_drain(struct tn_owner *owner) {
    while (tn_load_acquire(&owner->holds) != 0)
        (void)sched_yield(); // queries are short, and none can begin
}
