// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses that belong to the platform: reservations, and the windows that plain and
// pinned memory are cut from. A new space has no memory. Each is one inaccessible mapping of the
// kernel; with access=strict two, because the engine sees the bytes through an alias elsewhere.
#pragma once

#include "backend/host/platform.h"

// Higher addresses are not used, so that addresses fit the layers of an arena.
#define TN_HOST_SPACE_END ((uint64_t)1 << 48)

// Makes a space and adds it to the table. Under the MMU lock, held for writing. NO_ADDRESS_SPACE,
// NO_MAPPINGS, NO_HOST_MEMORY, with a text.
tarn_status tn_host_space_open(struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                               uint64_t alignment, uint64_t hint, struct tn_host_space **space);

// Frees a space in which nothing is mapped or deferred. Under the MMU lock, held for writing.
void tn_host_space_close(struct tn_host *h, struct tn_host_space *space);

// Returns the space that contains an address, or NULL. Under the MMU lock.
struct tn_host_space *tn_host_space_find(const struct tn_host *h, uint64_t addr);

// The same under the lock held for writing. It caches the last result, because changes to one space
// come in series.
struct tn_host_space *tn_host_space_to_change(struct tn_host *h, uint64_t addr);

// Makes [addr, addr + size) of one view inaccessible again, as when reserved. Returns false with
// errno.
bool tn_host_space_restore(uint64_t addr, uint64_t size);

// The same in all views of a space. `addr` is the CPU's address.
bool tn_host_space_restore_views(const struct tn_host_space *space, uint64_t addr, uint64_t size);
