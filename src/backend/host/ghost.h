// SPDX-License-Identifier: Apache-2.0
// Ghosts: mappings that were unmapped but that the kernel could not let go of, because splitting
// its mapping would have taken it to its limit. Unmap must not fail, so the table says not mapped,
// and the bytes are hidden by the means that need no kernel mapping. A ghost is completed when
// there is room: by the next unmap in its space, a map of its place, trim, or release. Until then
// its handle's memory is held. All of it under the MMU lock held for writing.
#ifndef TARN_HOST_GHOST_H
#define TARN_HOST_GHOST_H

#include "backend/host/platform.h"

// Turns the whole mappings of [addr, addr + size) into ghosts.
void tn_host_ghost_make(struct tn_host *h, const struct tn_host_space *space, uint64_t addr,
                        uint64_t size);

// Completes the ghosts that touch [lo, hi) of a space, up to the first that cannot be. False: there
// was one.
bool tn_host_ghost_settle(struct tn_host *h, const struct tn_host_space *space, uint64_t lo,
                          uint64_t hi);

// Completes what can be completed anywhere.
void tn_host_ghost_settle_all(struct tn_host *h);

// Ends the ghosts of a space whose addresses go back to the kernel.
void tn_host_ghost_forget(struct tn_host *h, const struct tn_host_space *space);

#endif
