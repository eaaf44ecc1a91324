// SPDX-License-Identifier: Apache-2.0
// The growth of a pool: where its memory comes from, and what it may release.
#ifndef TARN_CORE_POOL_GROW_GROWTH_H
#define TARN_CORE_POOL_GROW_GROWTH_H

#include <tarn/pool.h>

#include "base/lock.h"
#include "core/pool/fit/range.h"
#include "core/pool/grow/source.h"

// Guarded by `lock`, which comments call grow, except for the counters.
typedef struct tn_pool_growth {
    tn_pool_source *source; // NULL: a fixed range. Set at creation
    struct tn_mutex lock;
    struct tn_nap *naps[TARN_POOL_TAGS]; // tags whose blocks sleep

    _Atomic(uint64_t) moved_bytes;
    _Atomic(uint64_t) moved_handles;
    _Atomic(uint64_t) asleep_bytes; // of pages that sleeping blocks have given up
} tn_pool_growth;

// ---- grow.c, trim.c

// Takes a node for `want` by the remaining means: reclaiming, moving pages, growing. Takes fit
// itself. `node` is written on success.
tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

// Releases a segment that is no longer a span of the pool. Waits for work unless TARN_NO_WAIT is in
// `flags`.
void tn_pool_release_segment(tarn_pool *pool, tarn_addr addr, uint64_t bytes, uint32_t flags);

// Releases memory without a live block until at most `keep_bytes` are held. Returns the bytes
// released. The caller has checked that it may wait, if `wait`.
uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait);

// Checks the bytes held, of which `backed` bytes lie under pieces. Under grow.
tarn_status tn_pool_growth_verify(const tarn_pool *pool, uint64_t backed);

// ---- sleep.c

// Finishes the free of a block that was asleep when its owner freed it. Returns true if it has woken
// up meanwhile and waits for other streams. Takes grow.
bool tn_pool_sleep_free(tarn_pool *pool, tarn_addr addr, uint32_t node);

// Forgets all sleeping blocks; their pages are holes afterwards. Under grow.
void tn_pool_sleep_reset(tarn_pool *pool);

#endif
