// SPDX-License-Identifier: Apache-2.0
// Release of regions, for all kinds. A released region leaves the index first, so that no other
// thread finds it, and then its backend frees it. Any thread, without locks of the core.
#pragma once

#include "core/address/index.h"

// Releases the region of that kind and owner that starts at addr. Memory is released after all work
// of its platform's devices; with TARN_NO_WAIT in `flags`, and for reservations, at once. `bytes`
// is 0 or must match. `call` is the public function, for reports. BAD_ADDRESS: there is none; BUSY:
// mappings are left, or the call is made inside a host function and must wait; FORKED; recorded.
tarn_status tn_retire(enum tn_region_kind kind, const struct tn_owner *owner, tarn_addr addr,
                      uint64_t bytes, uint32_t flags, const char *call);

// Removes a region that the backend refused after it was inserted: no backend frees it. Does
// nothing if another thread has released it.
void tn_region_abandon(enum tn_region_kind kind, tarn_addr addr);
