// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses that belong to the platform: reservations, and the windows that plain and
// pinned memory are cut from. Nothing is mapped in a new one. Each is one inaccessible mapping of
// the kernel, two with access=strict, where the engine sees the bytes through an alias elsewhere.
#ifndef TARN_HOST_SPACE_H
#define TARN_HOST_SPACE_H

#include "backend/host/platform.h"

// Addresses this high are not used, so that they fit the layers of an arena.
#define TN_HOST_SPACE_END ((uint64_t)1 << 48)

// Makes a space and enters it in the table. Under the MMU lock for writing. NO_ADDRESS_SPACE,
// NO_MAPPINGS, NO_HOST_MEMORY, with a text.
tarn_status tn_host_space_open(struct tn_host *h, enum tn_host_space_kind kind, uint64_t size,
                               uint64_t alignment, uint64_t hint, struct tn_host_space **space);

// Gives it back. Nothing is mapped in it. Under the MMU lock for writing.
void tn_host_space_close(struct tn_host *h, struct tn_host_space *space);

// The space that holds an address, NULL: none. Under the MMU lock.
struct tn_host_space *tn_host_space_find(const struct tn_host *h, uint64_t addr);

// The same under the lock held for writing: changes come in rows, so the last one is remembered.
struct tn_host_space *tn_host_space_to_change(struct tn_host *h, uint64_t addr);

// Puts [addr, addr + size) of a view back to inaccessible, as it was when reserved. False: errno.
bool tn_host_space_restore(uint64_t addr, uint64_t size);

// The same in all views of a space, `addr` being the CPU's.
bool tn_host_space_restore_views(const struct tn_host_space *space, uint64_t addr, uint64_t size);

#endif
