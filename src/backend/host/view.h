// SPDX-License-Identifier: Apache-2.0
// Views: the mappings through which arrays reach the memory of handles. A handle that an array
// refers to is mapped once, completely, among plain memory, with the rights of its own device; its
// other mappings do not matter. The view counts the references of tiles and ends with the last one.
// Changes need the MMU lock, held for writing.
#pragma once

#include "backend/host/phys.h"

struct tn_host_view {
    uint64_t addr; // of byte 0 of the handle
    uint64_t refs;
    void *owner;      // of the references, for the array's unref; constant
    uint64_t counted; // scratch of tn_host_array_check()
};

// Adds references to a handle; the first one makes its view. NO_ADDRESS_SPACE, NO_MAPPINGS,
// NO_HANDLES, NO_HOST_MEMORY, with a text.
tarn_status tn_host_view_hold(struct tn_host *h, uint32_t slot, void *owner, uint64_t count);

// Drops references. Returns their owner, which the caller notifies once the lock is released.
void *tn_host_view_drop(struct tn_host *h, uint32_t slot, uint64_t count);
