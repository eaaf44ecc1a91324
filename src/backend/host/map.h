// SPDX-License-Identifier: Apache-2.0
// Mapping, unmapping and rights. These functions change kernel and page table together. They need
// the MMU lock, held for writing.
#pragma once

#include "backend/host/phys.h"

// Maps items one after another in a gap of `space`. The kernel maps them when they get their first
// rights, so that both together take one system call. NO_MAPPINGS, NO_HOST_MEMORY, NO_HANDLES,
// SYSTEM, with a text.
tarn_status tn_host_map_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr,
                           const tarn_backend_map_item *items, size_t count);

// Replaces the bytes of all mappings of a handle, one of them at `addr`, by those of another file,
// `phys`. Rights and records stay: the caller changes the handle. NO_MAPPINGS, SYSTEM, with a text.
tarn_status tn_host_remap_in(struct tn_host *h, uint32_t slot, uint64_t addr,
                             const struct tn_host_phys *phys);

// Unmaps the complete mappings of [addr, addr + size). Cannot fail: see deferred.h.
void tn_host_unmap_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr, uint64_t size);

// Changes the rights in `mask` to `rights` on the complete mappings of [addr, addr + size). Without
// any rights left, the kernel no longer maps them. NO_MAPPINGS, NO_HOST_MEMORY, SYSTEM, with a text.
tarn_status tn_host_access_in(struct tn_host *h, struct tn_host_space *space, uint64_t addr,
                              uint64_t size, uint32_t mask, uint32_t rights);
