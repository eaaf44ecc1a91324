// SPDX-License-Identifier: Apache-2.0
// Views: how arrays reach the memory that is mapped in them. A handle that any array refers to is
// mapped once, whole, where plain memory lies, with its own device's rights; other mappings of it,
// and their rights, do not matter. The view counts the references of tiles, and goes with the last
// one. All of it under the MMU lock, held for writing to change anything.
#ifndef TARN_HOST_VIEW_H
#define TARN_HOST_VIEW_H

#include "backend/host/phys.h"

struct tn_host_view {
    uint64_t addr; // of byte 0 of the handle
    uint64_t refs;
    void *owner;      // of the references, for let_go; constant
    uint64_t counted; // scratch of the check
};

// Adds references to a handle, and its view with the first. NO_ADDRESS_SPACE, NO_MAPPINGS,
// NO_HANDLES, NO_HOST_MEMORY, with a text.
tarn_status tn_host_view_hold(struct tn_host *h, uint32_t slot, void *owner, uint64_t count);

// Drops references, and gives their owner, who is to be told once the lock is released.
void *tn_host_view_drop(struct tn_host *h, uint32_t slot, uint64_t count);

#endif
