// SPDX-License-Identifier: Apache-2.0
// The life of regions, for all kinds. A released region leaves the index first, so that no other
// thread finds it, and then its backend frees it. Any thread, without locks of the core.
#pragma once

#include "core/address/index.h"

// Makes a region known that the backend has made, and emits its begin. On failure the backend frees
// it, and the record ends. `call` is the public function, for reports. BUSY, NO_HOST_MEMORY;
// recorded.
tarn_status tn_region_publish(struct tn_region *region, uint32_t flags, const char *call);

// Releases the region of that kind and owner that starts at addr. Memory is released after all work
// of its platform's devices; with TARN_NO_WAIT in `flags`, and for reservations, at once. `bytes`
// is 0 or must match. `call` is the public function, for reports. BAD_ADDRESS: there is none; BUSY:
// mappings are left, or the call is made inside a host function and must wait; FORKED; recorded.
tarn_status tn_retire(enum tn_region_kind kind, const struct tn_owner *owner, tarn_addr addr,
                      uint64_t bytes, uint32_t flags, const char *call);

// Removes a region that the backend refused after it was inserted: no backend frees it. Does
// nothing if another thread has released it.
void tn_region_abandon(enum tn_region_kind kind, tarn_addr addr);
