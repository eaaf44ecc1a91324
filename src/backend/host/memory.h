// SPDX-License-Identifier: Apache-2.0
// Plain device memory: a handle, a mapping and rights in one. It is cut from windows of address
// space that the platform keeps, so that work which still uses freed memory gets a fault and does
// not crash. This file also keeps the peers: which device may use the plain memory of which.
#pragma once

#include "backend/host/platform.h"

// Finds room for `size` bytes in a window of a kind, and opens a new window if needed. Zero
// `alignment` selects the granularity. Under the MMU lock, held for writing. NO_ADDRESS_SPACE,
// NO_MAPPINGS, NO_HOST_MEMORY, with a text.
tarn_status tn_host_window_room(struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                                uint64_t alignment, struct tn_host_space **space, uint64_t *addr);

// Closes the windows that were opened since `newest` was the newest one; NULL: all of them. Nothing
// is mapped in them.
void tn_host_window_undo(struct tn_host *h, const struct tn_host_space *newest);

// Maps a handle of complete granules in a window as plain memory of a device, at a multiple of
// `alignment` (0: of the granularity). Takes the MMU lock. NO_ADDRESS_SPACE, NO_MAPPINGS,
// NO_HANDLES, NO_HOST_MEMORY, with a text.
tarn_status tn_host_memory_place(struct tn_host *h, int device, uint32_t slot, uint64_t bytes,
                                 uint64_t alignment, tarn_addr *addr);

// The same under the MMU lock, held for writing.
tarn_status tn_host_memory_place_locked(struct tn_host *h, int device, uint32_t slot,
                                        uint64_t bytes, uint64_t alignment, tarn_addr *addr);
