// SPDX-License-Identifier: Apache-2.0
// The growth of a pool: where its memory comes from, and what it may release.
#pragma once

#include <tarn/pool.h>

#include "base/lock.h"
#include "core/pool/fit/range.h"
#include "core/pool/grow/source.h"

// Guarded by `lock`, which comments call grow, except for the counters.
typedef struct tn_pool_growth {
    tn_pool_source *source; // NULL: a fixed range. Set at creation
    struct tn_mutex lock;
    struct tn_nap *naps[TARN_POOL_TAGS]; // tags whose blocks sleep
    _Atomic(uint64_t) release_threshold;
    tarn_pool *next_threshold; // guarded by the lock of threshold.c
    uint64_t searched_bytes;   // held when shards had no handles worth moving. Guard: grow

    _Atomic(uint64_t) moved_bytes;
    _Atomic(uint64_t) moved_handles;
    _Atomic(uint64_t) asleep_bytes; // of pages that sleeping blocks have given up
} tn_pool_growth;

// ---- growth.c

// The lock that comments call grow.
void tn_pool_grow_lock(tarn_pool *pool);
void tn_pool_grow_unlock(tarn_pool *pool);

// A declaration: holds it until the end of the block.
#define TN_GROW_LOCKED(pool) TN_LOCKED(&(pool)->growth.lock)

// Sets the source, which may be NULL, and releases what that needed.
void tn_pool_growth_init(tarn_pool *pool, tn_pool_source *source);
void tn_pool_growth_fini(tarn_pool *pool);

// Writes the addresses that the pool can ever have: no bytes if they may lie anywhere. Returns true
// if they are a reservation, whose pages get memory by growth.
bool tn_pool_growth_range(const tarn_pool *pool, tarn_addr *base, uint64_t *bytes);

// Shows the pool to address queries and tools, hides it from queries, and releases its memory.
void tn_pool_growth_attach(tarn_pool *pool);
void tn_pool_growth_detach(tarn_pool *pool);
void tn_pool_growth_end(tarn_pool *pool);

// Fill the fields about the pool's memory. Take grow.
void tn_pool_growth_stats(const tarn_pool *pool, tarn_pool_stats *stats);
void tn_pool_growth_info(tarn_pool *pool, tarn_pool_info *info);
void tn_pool_growth_reset_peak(tarn_pool *pool);

// Returns the bytes held without an address. Under grow, as for the next one.
uint64_t tn_pool_growth_spare(const tarn_pool *pool);

// Checks the bytes held, of which `backed` bytes lie under pieces.
tarn_status tn_pool_growth_verify(const tarn_pool *pool, uint64_t backed);

// ---- threshold.c

// Removes the pool from the list of those with a release threshold.
void tn_pool_threshold_forget(tarn_pool *pool);

// ---- grow.c, trim.c

// Takes a node for `want` by the remaining means: reclaiming, moving pages, growing. Under grow; takes
// fit itself. `node` is written on success.
tarn_status tn_pool_grow(tarn_pool *pool, const tn_pool_want *want, uint32_t *node);

// The memory that a pool holds, and its peak.
typedef struct tn_pool_holding {
    uint64_t bytes;
    uint64_t peak;
} tn_pool_holding;

// Returns what the pool holds now. Under grow, as for the next two.
tn_pool_holding tn_pool_growth_holding(const tarn_pool *pool);

// After a refusal: releases free memory until the pool holds no more than `before`, and restores the
// peak. Memory that other threads have taken meanwhile stays.
void tn_pool_undo_growth(tarn_pool *pool, tn_pool_holding before);

// Releases memory without a live block until at most `keep` bytes are held. Waits for work unless
// TARN_NO_WAIT is in `flags`.
void tn_pool_release_to(tarn_pool *pool, uint64_t keep, uint32_t flags);

// Releases a segment that is no longer a span of the pool. Waits for work unless TARN_NO_WAIT is in
// `flags`.
void tn_pool_release_segment(tarn_pool *pool, tarn_addr addr, uint64_t bytes, uint32_t flags);

// Releases memory without a live block until at most `keep_bytes` are held. Returns the bytes
// released. The caller has checked that it may wait, if `wait`.
uint64_t tn_pool_trim(tarn_pool *pool, uint64_t keep_bytes, bool wait);

// Takes the memory of a plan's arena, for which a place of a slot waits, and gives back what the passes
// before needed beside it. Takes grow.
void tn_pool_grow_arena(tarn_pool *pool, unsigned slot);

// Releases what the pool holds beyond the present need of its blocks, without waiting. Takes grow.
void tn_pool_trim_to_need(tarn_pool *pool);

// ---- sleep.c

// Finishes the free of a block that was asleep when its owner freed it. Returns true if it has
// woken up meanwhile and waits for other streams. Takes grow.
bool tn_pool_sleep_free(tarn_pool *pool, tarn_addr addr, uint32_t node);

// Forgets all sleeping blocks; their pages are holes afterwards. Under grow.
void tn_pool_sleep_reset(tarn_pool *pool);
