// SPDX-License-Identifier: Apache-2.0
// Mapping, unmapping and rights. These change kernel and table together, under the MMU lock held
// for writing.
#ifndef TARN_HOST_MAP_H
#define TARN_HOST_MAP_H

#include "backend/host/phys.h"

// Maps items one behind the other into a gap of `space`. NO_MAPPINGS, NO_HOST_MEMORY, NO_HANDLES,
// SYSTEM, with a text.
tarn_status tn_host_map_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr,
                           const tarn_backend_map_item *items, size_t count);

// Shows the bytes of another file, `phys`, in the place of a mapping; its rights stay. The books
// stay, too: the caller changes the handle. NO_MAPPINGS, SYSTEM, with a text.
tarn_status tn_host_remap_in(struct tn_host *h, const struct tn_host_space *space,
                             const struct tn_interval_entry *entry,
                             const struct tn_host_phys *phys);

// Unmaps the whole mappings of [addr, addr + size). Cannot fail: see ghost.h.
void tn_host_unmap_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr, uint64_t size);

// On the whole mappings of [addr, addr + size), the rights in `mask` become `rights`.
tarn_status tn_host_access_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr,
                              uint64_t size, uint32_t mask, uint32_t rights);

#endif
