// SPDX-License-Identifier: Apache-2.0
// Plain device memory: a handle, a mapping and rights in one, cut from windows of address space
// that stay the platform's, so that work that still uses freed memory is a fault and not a crash.
// And which device reaches the plain memory of which.
#ifndef TARN_HOST_MEMORY_H
#define TARN_HOST_MEMORY_H

#include "backend/host/platform.h"

// Room for `size` bytes in a window of a kind, a new one if need be. `alignment` 0: granules. Under
// the MMU lock for writing. NO_ADDRESS_SPACE, NO_MAPPINGS, NO_HOST_MEMORY, with a text.
tarn_status tn_host_window_room(struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                                uint64_t alignment, struct tn_host_space **space, uint64_t *addr);

// Gives back the windows opened since `newest` was the newest one: nothing of them was used.
void tn_host_window_undo(struct tn_host *h, const struct tn_host_space *newest);

// Puts a handle of whole granules into a window as plain memory of a device, at a multiple of
// `alignment` (0: of the granularity). Takes the MMU lock. NO_ADDRESS_SPACE, NO_MAPPINGS,
// NO_HANDLES, NO_HOST_MEMORY, with a text.
tarn_status tn_host_memory_place(struct tn_host *h, int device, uint32_t slot, uint64_t bytes,
                                 uint64_t alignment, tarn_addr *addr);

// The same under the MMU lock, held for writing.
tarn_status tn_host_memory_place_locked(struct tn_host *h, int device, uint32_t slot,
                                        uint64_t bytes, uint64_t alignment, tarn_addr *addr);

#endif
