// SPDX-License-Identifier: Apache-2.0
// Handles of an expandable pool that can be moved: no block lies on them, and no stream has still to
// pass. A growth or a trim lists some of them, chooses, and takes the chosen out of the fit, so that
// the device is never called under the fit lock. Under the growth lock.
#ifndef TARN_CORE_POOL_GROW_MOVABLE_H
#define TARN_CORE_POOL_GROW_MOVABLE_H

#include "core/pool/grow/grow.h"

// Handles taken out of the fit: runs of neighbours, linked through the words of their nodes.
typedef struct tn_movables {
    uint32_t first; // 0: none
    uint64_t pages;
} tn_movables;

// Returns the bytes of the complete handles under a free piece. Under fit, as for the next two.
uint64_t tn_movable_bytes(const tarn_pool *pool, uint32_t node);

// Takes as few handles as possible that have `want` pages together, and at most `room`: the smallest
// that covers the rest, else the largest; of equal ones that of the smallest piece. It may find
// fewer pages.
tn_movables tn_movables_take(tarn_pool *pool, uint64_t want, uint64_t room);

// Frees them again.
void tn_movables_return(tarn_pool *pool, const tn_movables *movables);

// Unmaps them: they are spare afterwards. Returns the pages; handles that the device refused to
// unmap are free again. Takes fit.
uint64_t tn_movables_unmap(tarn_pool *pool, const tn_movables *movables);

#endif
