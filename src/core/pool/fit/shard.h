// SPDX-License-Identifier: Apache-2.0
// Shards: parts of a pool's free memory from which one thread allocates large blocks alone, once
// threads have been seen to wait for each other at the fit lock. shard.c explains them.
#pragma once

#include "core/pool/fit/piece.h"

enum {
    TN_SHARD_CHUNKS = 256, // chunks of a shard
    TN_SHARD_NODES = 1024, // unused nodes that a shard gets at a time
    TN_SHARD_OUT = 32,     // frees for one other shard before they are handed over
    TN_SHARD_INBOX = 4096  // frees that wait for a shard
};

// Nodes that shards may hold without use or for their chunks.
#define TN_SHARD_EXTRA (TN_SHARDS * (TN_SHARD_NODES + 2 * TN_SHARD_CHUNKS))

// A claimed block of another shard: its node, and above it the epoch of the shard when the block
// was claimed. Never 0.
typedef uint64_t tn_shard_freed;

struct tn_pool_shard {
    struct tn_biased lock; // guards everything up to the next line
    unsigned number;
    unsigned slot;  // of the chunks
    unsigned users; // threads. Guard: fit
    uint32_t chunk_count;
    uint64_t chunk_units; // read under fit too
    struct {
        uint32_t node; // taken in the pool's fit
        uint32_t head; // its span here
    } chunks[TN_SHARD_CHUNKS];
    tn_fit fit; // a part of the pool's fit with one list
    tn_fit_bins *list;
    tn_fit_bins bins;
    struct {
        uint32_t count;
        tn_shard_freed freed[TN_SHARD_OUT];
    } out[TN_SHARDS]; // frees by these threads, for the shard of that number; 0: the pool's fit

    // Changed under the lock, read by any thread.
    _Alignas(
        64) _Atomic(uint32_t) epoch; // one more each time the chunks went back to the pool's fit
    _Atomic(uint32_t) busy;          // it has chunks, or frees for others
    _Atomic(uint64_t) cached;        // free units in its chunks
    _Atomic(uint64_t) waiting;       // units of the blocks for the pool's fit in `out`
    _Atomic(uint64_t) first;         // place in the inbox that is read next

    // The inbox: any thread reserves places at the end; a place that is 0 is empty.
    _Alignas(64) _Atomic(uint64_t) end;
    _Atomic(tn_shard_freed) inbox[TN_SHARD_INBOX];
};

// Allocates as tn_pool_piece_take() does, for a thread with a shard.
uint32_t tn_pool_shard_take(tarn_pool *pool, tn_pool_cache *cache, const tn_pool_want *want);

// The same without an alignment, for a thread that owns the lock of its shard. Writes the address.
// Returns false, with nothing changed, if only the former may find a piece.
bool tn_pool_shard_take_quick(tarn_pool *pool, tn_pool_shard *shard, uint64_t units,
                              tn_fit_data data, tarn_addr *addr);

// Returns the shard of a thread of a pool with shards. Without host memory it has none: NULL.
tn_pool_shard *tn_pool_shard_of(tarn_pool *pool, tn_pool_cache *cache);

// Ends the block that starts at `addr`, for a thread with the shard `mine`. Unless it is kept, for
// the caller or because other streams use it, its piece is freed too.
tn_pool_freed tn_pool_shard_free(tarn_pool *pool, tn_pool_shard *mine, tarn_addr addr,
                                 tn_granule_entry *entry, bool keep);

// Returns the free bytes in chunks. They may be some calls old.
uint64_t tn_pool_shard_cached(tarn_pool *pool);

// Returns true if the pool has shards, and may grow for `want` without their pieces: they have
// little free memory for what the pool holds. Takes fit.
bool tn_pool_shard_may_stay(tarn_pool *pool, const tn_pool_want *want);

// Returns the sum of `bytes_of` over the longest free pieces of at least `units`, those of shards
// included. Returns when it reaches `enough`. Takes fit.
uint64_t tn_pool_shard_sum(tarn_pool *pool, uint64_t units, uint64_t enough,
                           uint64_t (*bytes_of)(const tarn_pool *pool, uint32_t node));

// Returns true if the calling thread has a shard that can have one more chunk for `want`. `cache` is
// the thread's, or NULL.
bool tn_pool_shard_accepts(const tn_pool_cache *cache, const tn_pool_want *want);

// Gives that shard the node, which was taken as a chunk, and takes a piece of the shard. Takes fit.
uint32_t tn_pool_shard_adopt(tarn_pool *pool, tn_pool_cache *cache, const tn_pool_want *want,
                             uint32_t node);

// Called after the pool has grown: chunks may be drawn again at once. Takes fit.
void tn_pool_shard_grown(tarn_pool *pool);

// Ends the use of a shard by a thread.
void tn_pool_shard_leave(tarn_pool *pool, tn_pool_cache *cache);
void tn_pool_shard_destroy(tarn_pool *pool);

// Called by a thread without a shard that waited for the fit lock, or found that the pool has
// shards. Gives it a shard if that happens often.
__attribute__((cold, noinline)) void tn_pool_shard_waited(tarn_pool *pool, tn_pool_cache *cache);
