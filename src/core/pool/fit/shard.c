// SPDX-License-Identifier: Apache-2.0
// Shards. A shard draws chunks from the pool's fit, where each is a taken node, and divides them by
// a fit of its own over the same nodes, under its own lock. A chunk is a free piece or, where none
// is long enough, a window: a run of pieces with the blocks in it. tn_pool_fit_lock() gives all
// chunks back first, so that its holder sees one fit, with all free neighbours merged; only the
// files that take and free pieces know shards.
//
// A granule entry names the shard of a block beside its node. A free claims the block by changing
// the entry to 0, which one thread can do. The block of another shard then waits in `out`, and is
// handed over to that shard's inbox with others. If that shard has given its chunks back meanwhile,
// its epoch has changed, and the block is one of the pool's fit.
//
// Locks: fit, then one shard.
#include "core/pool/fit/shard.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "core/pool/fit/piece.h"

enum {
    WAITS = 16,          // at the fit lock within WAITS_NS, which give a thread a shard
    COMMON_MAX = 64,     // takes from the fit of a pool with shards, which give a thread a shard
    SHARE = 8,           // a chunk is at most this part of what is free
    PIECES_MIN = 4,      // requests that a chunk has room for
    STAY_SHARE = 6,      // while the pool grows, shards keep up to this part of its memory free
    SUMMED = 256,        // pieces of a shard that tn_pool_shard_sum() sees
    PAUSE_MIN = 64,      // takes without a chunk after a shortage
    PAUSE_MAX = 1 << 20, // the longest such pause
};

#define WAITS_NS (UINT64_C(10) * 1000 * 1000)

static inline uint32_t entry_of(const tn_pool_shard *shard, uint32_t node) {
    return shard->number << TN_ENTRY_SHARD_SHIFT | node;
}

static inline bool shard_is_held(const tn_pool_shard *shard) {
    return tn_spin_is_held(&shard->lock.spin);
}

static inline tn_pool_shard *shard_at(tarn_pool *pool, unsigned number) {
    return tn_load_acquire(&pool->range.shards[number]);
}

// ---- the inbox

static inline bool inbox_has(const tn_pool_shard *shard) {
    return tn_load_relaxed(&shard->end) != tn_load_relaxed(&shard->first);
}

// Returns the next block of the inbox, or 0 if there is none. With `wait` it waits for a thread
// that has reserved the place. Under the shard's lock.
static tn_shard_freed inbox_pop(tn_pool_shard *shard, bool wait) {
    TARN_ASSERT(shard_is_held(shard));
    uint64_t first = tn_load_relaxed(&shard->first);
    _Atomic(tn_shard_freed) *place = &shard->inbox[first % TN_SHARD_INBOX];
    tn_shard_freed freed = tn_load_acquire(place);
    while (freed == 0 && wait && inbox_has(shard)) {
        (void)sched_yield();
        freed = tn_load_acquire(place);
    }
    if (freed != 0) {
        tn_store_relaxed(place, 0);
        tn_store_release(&shard->first, first + 1);
    }
    return freed;
}

// Adds a block to those that the threads of a shard have freed for another. Under the lock.
static void out_add(tn_pool_shard *shard, unsigned number, tn_shard_freed freed) {
    TARN_ASSERT(shard_is_held(shard) && shard->out[number].count < TN_SHARD_OUT);
    shard->out[number].freed[shard->out[number].count++] = freed;
    if (number == 0) {
        tn_store_relaxed(&shard->waiting, tn_load_relaxed(&shard->waiting) +
                                              tn_fit_units(&shard->fit, (uint32_t)freed));
    }
    tn_store_relaxed(&shard->busy, 1);
}

TN_POOL_HOT void free_own(tn_pool_shard *shard, uint32_t node) {
    (void)tn_fit_free_units(&shard->fit, node, tn_fit_units(&shard->fit, node), 0);
    tn_store_relaxed(&shard->cached, shard->bins.units);
}

static inline bool is_own(const tn_pool_shard *shard, tn_shard_freed freed) {
    return freed >> 32 == tn_load_relaxed(&shard->epoch);
}

// Frees the blocks in the inbox. Those that are the pool's by now are set aside for it.
static __attribute__((noinline)) void inbox_drain(tn_pool_shard *shard) {
    TARN_ASSERT(shard_is_held(shard));
    uint64_t first = tn_load_relaxed(&shard->first);
    uint64_t count = tn_load_relaxed(&shard->end) - first;
    for (uint64_t i = 0; i < count && i < TN_SHARD_OUT; i++) {
        uint32_t node = (uint32_t)tn_load_relaxed(&shard->inbox[(first + i) % TN_SHARD_INBOX]);
        __builtin_prefetch(&shard->fit.nodes[node], 1);
    }
    while (shard->out[0].count < TN_SHARD_OUT - 1) {
        tn_shard_freed freed = inbox_pop(shard, false);
        if (freed == 0) break;
        if (is_own(shard, freed))
            free_own(shard, (uint32_t)freed);
        else
            out_add(shard, 0, freed);
    }
}

// ---- all chunks go back

// Nodes that are freed once all chunks are back, linked by the field that a taken node has for its
// owner's word, which is not needed any more.
typedef struct node_chain {
    uint32_t first;
} node_chain;

static void chain_add(tarn_pool *pool, node_chain *chain, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    pool->range.fit.nodes[node].next = chain->first;
    chain->first = node;
}

static void empty_inbox(tarn_pool *pool, tn_pool_shard *shard, node_chain *chain) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && shard_is_held(shard));
    tn_shard_freed freed;
    while ((freed = inbox_pop(shard, true)) != 0)
        if (is_own(shard, freed))
            free_own(shard, (uint32_t)freed);
        else
            chain_add(pool, chain, (uint32_t)freed);
}

static void empty_shard(tarn_pool *pool, tn_pool_shard *shard, node_chain *chain) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    (void)tn_biased_lock(&shard->lock);
    empty_inbox(pool, shard, chain);
    for (unsigned n = 0; n < TN_SHARDS; n++) {
        for (uint32_t i = 0; i < shard->out[n].count; i++)
            chain_add(pool, chain, (uint32_t)shard->out[n].freed[i]);
        shard->out[n].count = 0;
    }
    if (shard->chunk_count != 0) {
        unsigned list = tn_pool_piece_list(pool, shard->slot, TN_FIT_MAX_UNITS);
        tn_pool_piece_count(pool, shard->chunk_units - shard->bins.units);
        for (uint32_t i = 0; i < shard->chunk_count; i++) {
            // The blocks of a chunk are the pool's from now on. An entry that changed has been
            // claimed.
            for (uint32_t k = tn_piece_after(pool, shard->chunks[i].head); k != 0;
                 k = tn_piece_after(pool, k)) {
                uint32_t entry = entry_of(shard, k);
                if (tn_piece_is_taken(pool, k))
                    (void)tn_cas_acq_rel(tn_granule_at(&pool->map, tn_piece_addr(pool, k)), &entry,
                                         k);
            }
            tn_fit_unite(&pool->range.fit, shard->chunks[i].node, &shard->fit,
                         shard->chunks[i].head, list);
        }
        shard->chunk_count = 0;
        shard->chunk_units = 0;
    }
    tn_fit_move_room(&shard->fit, &pool->range.fit, UINT32_MAX);
    tn_store_relaxed(&shard->waiting, 0);
    tn_store_relaxed(&shard->cached, 0);
    // Release: a thread that sees the old number of a block sees the old epoch before.
    tn_store_release(&shard->epoch, tn_load_relaxed(&shard->epoch) + 1);
    tn_store_relaxed(&shard->busy, 0);
    tn_biased_unlock(&shard->lock);
}

// A block on its way from one shard to another may reach the inbox of a shard that is empty
// already. So the inboxes are emptied once more.
static void unify(tarn_pool *pool) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    node_chain chain = {0};
    for (unsigned n = 1; n < TN_SHARDS && shard_at(pool, n) != NULL; n++) {
        tn_pool_shard *shard = shard_at(pool, n);
        if (tn_load_relaxed(&shard->busy) != 0 || inbox_has(shard))
            empty_shard(pool, shard, &chain);
    }
    for (unsigned n = 1; n < TN_SHARDS && shard_at(pool, n) != NULL; n++) {
        tn_pool_shard *shard = shard_at(pool, n);
        if (inbox_has(shard)) {
            (void)tn_biased_lock(&shard->lock);
            empty_inbox(pool, shard, &chain);
            tn_biased_unlock(&shard->lock);
        }
    }
    while (chain.first != 0) {
        uint32_t node = chain.first;
        chain.first = pool->range.fit.nodes[node].next;
        tn_pool_piece_free(pool, node);
    }
}

uint64_t tn_pool_shard_cached(tarn_pool *pool) {
    uint64_t units = 0;
    for (unsigned n = 1; n < TN_SHARDS && shard_at(pool, n) != NULL; n++)
        units += tn_load_relaxed(&shard_at(pool, n)->cached);
    return units << pool->unit_shift;
}

// Returns the free units in chunks, and those of blocks that are not handed over yet.
static uint64_t units_free(tarn_pool *pool) {
    uint64_t units = 0;
    for (unsigned n = 1; n < TN_SHARDS && shard_at(pool, n) != NULL; n++)
        units += tn_load_relaxed(&shard_at(pool, n)->cached) +
                 tn_load_relaxed(&shard_at(pool, n)->waiting);
    return units;
}

// The units of shards may be some calls old.
uint64_t tn_pool_need(tarn_pool *pool, const tn_pool_want *want) {
    (void)tn_pool_main_lock(pool);
    uint64_t units = pool->range.taken_units - units_free(pool);
    for (unsigned n = 1; n < TN_SHARDS && shard_at(pool, n) != NULL; n++)
        units += shard_at(pool, n)->chunk_units;
    uint64_t taken = (int64_t)units > 0 ? units : 0;
    if (taken > pool->range.peak_taken_units) pool->range.peak_taken_units = taken;
    uint64_t peak = pool->range.peak_taken_units;
    tn_pool_main_unlock(pool);
    taken += want->units;
    return (peak > taken ? peak : taken) << pool->unit_shift;
}

// The sum of `bytes_of` over the longest free pieces of a list, until it reaches `enough`.
static uint64_t sum_list(const tarn_pool *pool, const tn_fit *fit, unsigned list, uint64_t units,
                         uint64_t enough, uint64_t (*bytes_of)(const tarn_pool *, uint32_t)) {
    uint64_t sum = 0;
    int left = SUMMED;
    for (uint32_t k = tn_fit_largest(fit, list);
         k != 0 && left > 0 && sum < enough && tn_fit_units(fit, k) >= units; left--) {
        sum += bytes_of(pool, k);
        k = tn_fit_next_smaller(fit, k);
    }
    return sum;
}

uint64_t tn_pool_shard_sum(tarn_pool *pool, uint64_t units, uint64_t enough,
                           uint64_t (*bytes_of)(const tarn_pool *pool, uint32_t node)) {
    (void)tn_pool_main_lock(pool);
    uint64_t sum = sum_list(pool, &pool->range.fit, pool->range.free_list, units, enough, bytes_of);
    for (unsigned n = 1; n < TN_SHARDS && shard_at(pool, n) != NULL && sum < enough; n++) {
        tn_pool_shard *shard = shard_at(pool, n);
        (void)tn_biased_lock(&shard->lock);
        sum += sum_list(pool, &shard->fit, 0, units, enough - sum, bytes_of);
        tn_biased_unlock(&shard->lock);
    }
    tn_pool_main_unlock(pool);
    return sum;
}

bool tn_pool_shard_may_stay(tarn_pool *pool, const tn_pool_want *want) {
    if (tn_load_relaxed(&pool->range.unify) == NULL || pool->growth.source == NULL) return false;
    uint64_t held = tn_load_relaxed(&pool->growth.source->held_bytes);
    if (units_free(pool) << pool->unit_shift > held / STAY_SHARE) return false;
    (void)tn_pool_main_lock(pool);
    bool sole = want->slot == pool->range.sole;
    tn_pool_main_unlock(pool);
    return sole;
}

// ---- threads and their shards

// Gives the calling thread a shard. Without host memory it stays without.
static void shard_join(tarn_pool *pool, tn_pool_cache *cache) {
    tn_pool_shard *made = (tn_pool_shard *)aligned_alloc(_Alignof(tn_pool_shard), sizeof *made);
    if (made != NULL) {
        memset(made, 0, sizeof *made);
        made->list = &made->bins;
        tn_biased_init(&made->lock, TN_RANK_POOL_SHARD, "pool shard");
        tn_fit_init_part(&made->fit, &pool->range.fit, &made->list, 1);
    }
    (void)tn_pool_main_lock(pool);
    // The shard with the fewest threads, or a new one if all have some and there is room for it.
    tn_pool_shard *shard = NULL;
    unsigned n = 1;
    for (; n < TN_SHARDS && shard_at(pool, n) != NULL; n++)
        if (shard == NULL || shard_at(pool, n)->users < shard->users) shard = shard_at(pool, n);
    if (n != TN_SHARDS && made != NULL && (shard == NULL || shard->users != 0)) {
        shard = made;
        made->number = n;
        // Release: a thread that sees the shard sees it complete.
        tn_store_release(&pool->range.shards[n], made);
    }
    if (shard != NULL) {
        shard->users++;
        tn_store_relaxed(&pool->range.unify, unify);
    }
    tn_pool_main_unlock(pool);
    if (made != shard) free(made);
    if (shard != NULL) {
        (void)tn_biased_lock(&shard->lock);
        tn_biased_adopt(&shard->lock);
        tn_biased_unlock(&shard->lock);
        cache->shard = shard;
    }
}

void tn_pool_shard_leave(tarn_pool *pool, tn_pool_cache *cache) {
    if (cache->shard != NULL) {
        tn_pool_fit_lock(pool);
        cache->shard->users--;
        tn_pool_fit_unlock(pool);
        cache->shard = NULL;
    }
}

void tn_pool_shard_destroy(tarn_pool *pool) {
    for (unsigned n = 1; n < TN_SHARDS; n++) free(shard_at(pool, n));
}

void tn_pool_shard_waited(tarn_pool *pool, tn_pool_cache *cache) {
    if (cache == NULL || cache->shard != NULL || !pool->plain || pool->plan != NULL) return;
    if (tn_load_relaxed(&pool->range.unify) != NULL && ++cache->common == COMMON_MAX) {
        shard_join(pool, cache);
        return;
    }
    uint64_t now = tn_now_ns();
    if (now - cache->waits_since > WAITS_NS) {
        cache->waits_since = now;
        cache->waits = 0;
    }
    if (++cache->waits >= WAITS) {
        cache->waits = 0;
        shard_join(pool, cache);
    }
}

// ---- take

// Sets the granule entry of a piece that was taken of a shard. Returns its address. Under its lock.
static inline tarn_addr publish_own(tarn_pool *pool, tn_pool_shard *shard, uint32_t node) {
    TARN_ASSERT(shard_is_held(shard) && node != 0);
    tarn_addr addr = tn_pool_addr(pool, tn_fit_start(&shard->fit, node));
    tn_granule_put(&pool->map, addr, entry_of(shard, node));
    tn_store_relaxed(&shard->cached, shard->bins.units);
    return addr;
}

// Takes a piece of the shard's own chunks. Returns 0 if none fits.
static inline uint32_t take_own(tarn_pool *pool, tn_pool_shard *shard, const tn_pool_want *want) {
    uint32_t node = 0;
    (void)tn_biased_lock(&shard->lock);
    if (inbox_has(shard)) inbox_drain(shard);
    if (want->slot == shard->slot && tn_fit_room(&shard->fit) >= TN_POOL_NODE_RESERVE)
        node = tn_fit_take(&shard->fit, 0, want->units, want->align >> pool->unit_shift);
    if (node != 0) {
        tn_fit_assign(&shard->fit, node, want->slot, want->mark, want->bytes);
        publish_own(pool, shard, node);
    }
    tn_biased_unlock(&shard->lock);
    return node;
}

bool tn_pool_shard_take_quick(tarn_pool *pool, tn_pool_shard *shard, uint64_t units,
                              tn_fit_data data, tarn_addr *addr) {
    if (!tn_biased_enter(&shard->lock)) return false;
    uint32_t node = 0;
    if (__builtin_expect(inbox_has(shard), 0)) inbox_drain(shard);
    if (data.list == shard->slot && tn_fit_room(&shard->fit) >= TN_POOL_NODE_RESERVE)
        node = tn_fit_take_quick(&shard->fit, 0, units, data);
    if (__builtin_expect(node != 0, 1)) *addr = publish_own(pool, shard, node);
    tn_biased_leave(&shard->lock);
    return node != 0;
}

// Takes a chunk out of the pool's fit: at most an eighth of what is free, or less if no piece is as
// long. It is a power of two, as most sizes are multiples of a smaller one. Returns 0 if none is
// long enough for some requests. The pool does not count it as taken; its blocks are counted when
// it is back. Under fit.
static uint32_t take_chunk(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && want->units != 0);
    // Memory that is free for all must not become that of a slot on the way.
    bool shared = pool->range.sole == TN_POOL_SHARED;
    if (want->slot != pool->range.sole && !shared) return 0;
    const tn_pool_lists *own = &tn_pool_slot_at(pool, want->slot)->lists;
    unsigned list = shared && want->slot != 0 ? own->ids[own->young] : pool->range.free_list;
    uint64_t most = pool->range.lists[list]->units / SHARE;
    uint64_t units = most != 0 ? UINT64_C(1) << (63 - __builtin_clzll(most)) : 0;
    for (; units >= PIECES_MIN * want->units; units /= 4) {
        uint32_t node = tn_fit_take(&pool->range.fit, list, units, 1);
        if (node != 0) {
            uint64_t end = tn_fit_start(&pool->range.fit, node) + units;
            tn_fit_assign(&pool->range.fit, node, want->slot, TN_MARK_CHUNK, 0);
            if (end > pool->range.high_units) tn_pool_piece_extend_high(pool, end);
            return node;
        }
    }
    return 0;
}

// Returns true if a shard can have one more chunk of a slot. Under its lock.
static bool has_place(const tn_pool_shard *shard, unsigned slot) {
    TARN_ASSERT(shard_is_held(shard) && shard->chunk_count <= TN_SHARD_CHUNKS);
    return shard->chunk_count != TN_SHARD_CHUNKS &&
           tn_fit_room(&shard->fit) >= TN_POOL_NODE_RESERVE &&
           (shard->chunk_count == 0 || shard->slot == slot);
}

// Adds a chunk to a shard: a node of the pool's fit, and its span here. Under fit and the shard's
// lock.
static void add_chunk(tarn_pool *pool, tn_pool_shard *shard, unsigned slot, uint32_t node,
                      uint32_t head) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && shard_is_held(shard));
    TARN_ASSERT(shard->chunk_count < TN_SHARD_CHUNKS);
    shard->slot = slot;
    shard->chunk_units += tn_fit_units(&pool->range.fit, node);
    shard->chunks[shard->chunk_count].node = node;
    shard->chunks[shard->chunk_count++].head = head;
    tn_store_relaxed(&shard->cached, shard->bins.units);
    tn_store_relaxed(&shard->busy, 1);
}

static uint32_t add_span(tarn_pool *pool, tn_pool_shard *shard, uint32_t node) {
    return tn_fit_add_span(&shard->fit, 0, tn_fit_start(&pool->range.fit, node),
                           tn_fit_units(&pool->range.fit, node));
}

// ---- windows

// Includes a piece in the window of a shard: one that is free for the sole slot, or a block of it,
// which is the shard's from then on. Returns false if the window ends there. Under fit and the
// shard's lock.
static bool include_piece(tarn_pool *pool, const tn_pool_shard *shard, unsigned slot, uint32_t node,
                          uint64_t *taken) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && shard_is_held(shard));
    uint64_t units = tn_piece_units(pool, node);
    uint64_t end = tn_fit_start(&pool->range.fit, node) + units;
    uint32_t entry = node;
    if (tn_fit_is_free(&pool->range.fit, node, pool->range.free_list)) return true;
    if (units == 0 || !tn_piece_is_taken(pool, node) || tn_piece_slot(pool, node) != slot ||
        (tn_piece_mark(pool, node) & ~(uint32_t)TN_MARK_TAG) != 0 ||
        (pool->range.tail_bytes != 0 && end > pool->range.tail_start))
        return false;
    if (!tn_cas_acq_rel(tn_granule_at(&pool->map, tn_piece_addr(pool, node)), &entry,
                        entry_of(shard, node)))
        return false; // a thread has claimed the block, and frees it in the pool's fit
    *taken += units;
    return true;
}

// Gives a shard a window: a free piece for `want` with the pieces around it, blocks included, up to
// a part of what the pool's fit has. So the frees of these blocks make room in the shard. Returns
// false, with nothing changed, if there is none. Under fit and the shard's lock.
static bool draw_window(tarn_pool *pool, tn_pool_shard *shard, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && shard_is_held(shard));
    const tn_fit *fit = &pool->range.fit;
    if (want->slot != pool->range.sole || !tn_piece_has_records(pool)) return false;
    tn_pool_piece_ungather(pool);
    uint64_t free = pool->range.lists[pool->range.free_list]->units;
    uint64_t most = (free + pool->range.taken_units) / SHARE;
    uint32_t first = tn_fit_search(fit, pool->range.free_list, want->units);
    uint32_t last = first;
    uint64_t units = tn_fit_units(fit, first);
    uint64_t taken = 0;
    if (first == 0 || units > most) return false;
    for (uint32_t k = tn_fit_after(fit, last);
         k != 0 && units < most && include_piece(pool, shard, want->slot, k, &taken);
         k = tn_fit_after(fit, k)) {
        last = k;
        units += tn_fit_units(fit, k);
    }
    for (uint32_t k = tn_fit_before(fit, first);
         units < most && include_piece(pool, shard, want->slot, k, &taken);
         k = tn_fit_before(fit, k)) {
        first = k;
        units += tn_fit_units(fit, k);
    }
    uint32_t node = tn_fit_divide(&pool->range.fit, first, last, &shard->fit, 0);
    tn_fit_assign(&pool->range.fit, node, want->slot, TN_MARK_CHUNK, 0);
    pool->range.taken_units -= taken;
    add_chunk(pool, shard, want->slot, node, tn_fit_before(fit, first));
    return true;
}

// Gives a shard a chunk of the pool's fit. Returns false, with nothing changed, if it shall not
// have one. Under fit and the shard's lock.
static bool draw_chunk(tarn_pool *pool, tn_pool_shard *shard, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && shard_is_held(shard));
    uint32_t pause = tn_load_relaxed(&pool->range.pause);
    if (pause != 0) {
        tn_store_relaxed(&pool->range.pause, pause - 1);
        return false;
    }
    if (!has_place(shard, want->slot)) return false;
    uint32_t node = take_chunk(pool, want);
    if (node != 0)
        add_chunk(pool, shard, want->slot, node, add_span(pool, shard, node));
    else if (!draw_window(pool, shard, want))
        return false;
    pool->range.pause_next /= 2;
    return true;
}

// Hands the blocks over that a shard's threads have freed for the pool. Under fit and the shard's
// lock.
static void flush_main(tarn_pool *pool, tn_pool_shard *shard) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && shard_is_held(shard));
    for (uint32_t i = 0; i < shard->out[0].count; i++)
        tn_pool_piece_free_inline(pool, (uint32_t)shard->out[0].freed[i]);
    shard->out[0].count = 0;
    tn_store_relaxed(&shard->waiting, 0);
}

void tn_pool_shard_grown(tarn_pool *pool) {
    if (tn_load_relaxed(&pool->range.unify) != NULL) {
        (void)tn_pool_main_lock(pool);
        tn_store_relaxed(&pool->range.pause, 0);
        pool->range.pause_next = 0;
        tn_pool_main_unlock(pool);
    }
}

// Takes a piece of the pool's fit. Under fit.
static uint32_t take_common(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    uint32_t node = tn_pool_piece_take(pool, want);
    if (__builtin_expect(node == 0, 0)) {
        // After a shortage threads share the pool's fit for a while, for twice as long as after the
        // one before, so that a full pool is not divided and united again and again. Growth ends
        // the pause: its calls of the device cost more than dividing and uniting.
        uint32_t pause = pool->range.pause_next > PAUSE_MIN ? pool->range.pause_next : PAUSE_MIN;
        tn_store_relaxed(&pool->range.pause, pause);
        pool->range.pause_next = pause < PAUSE_MAX ? 2 * pause : PAUSE_MAX;
    }
    return node;
}

uint32_t tn_pool_shard_take(tarn_pool *pool, tn_pool_cache *cache, const tn_pool_want *want) {
    tn_pool_shard *shard = cache->shard;
    uint32_t node = take_own(pool, shard, want);
    if (__builtin_expect(node != 0, 1)) return node;
    (void)tn_pool_main_lock(pool);
    (void)tn_biased_lock(&shard->lock);
    flush_main(pool, shard);
    bool drawn = tn_fit_room(&shard->fit) < TN_POOL_NODE_RESERVE &&
                 tn_fit_room(&pool->range.fit) >= 4 * TN_SHARD_NODES;
    if (drawn) {
        tn_fit_move_room(&pool->range.fit, &shard->fit, TN_SHARD_NODES);
        tn_store_relaxed(&shard->busy, 1);
    } else {
        drawn = draw_chunk(pool, shard, want);
    }
    tn_biased_unlock(&shard->lock);
    node = drawn ? 0 : take_common(pool, want);
    tn_pool_main_unlock(pool);
    if (drawn && (node = take_own(pool, shard, want)) == 0) {
        (void)tn_pool_main_lock(pool);
        node = take_common(pool, want);
        tn_pool_main_unlock(pool);
    }
    return node;
}

bool tn_pool_shard_accepts(const tn_pool_cache *cache, const tn_pool_want *want) {
    if (cache == NULL || cache->shard == NULL || (want->mark & TN_MARK_SLAB) != 0) return false;
    (void)tn_biased_lock(&cache->shard->lock);
    bool accepts = has_place(cache->shard, want->slot);
    tn_biased_unlock(&cache->shard->lock);
    return accepts;
}

uint32_t tn_pool_shard_adopt(tarn_pool *pool, tn_pool_cache *cache, const tn_pool_want *want,
                             uint32_t node) {
    TARN_ASSERT(cache->shard != NULL && node != 0);
    tn_pool_shard *shard = cache->shard;
    (void)tn_pool_main_lock(pool);
    (void)tn_biased_lock(&shard->lock);
    if (has_place(shard, want->slot))
        add_chunk(pool, shard, want->slot, node, add_span(pool, shard, node));
    else
        (void)tn_piece_release(pool, node, false);
    tn_biased_unlock(&shard->lock);
    tn_pool_main_unlock(pool);
    return tn_pool_shard_take(pool, cache, want);
}

// ---- free

// Steps that a free leaves for after the shard's lock is released.
enum { NOTHING, FLUSH_MAIN, UNIFY, FREE_NODE };

// Frees a claimed block of a shard with that epoch, or of the pool's fit. Under the lock of the
// freeing thread's shard.
static int free_claimed(tarn_pool *pool, tn_pool_shard *mine, unsigned number, uint32_t epoch,
                        uint32_t node) {
    TARN_ASSERT(shard_is_held(mine) && number < TN_SHARDS);
    if (number == mine->number) {
        free_own(mine, node);
        return NOTHING;
    }
    bool other = number != 0 && tn_load_acquire(&shard_at(pool, number)->epoch) != epoch;
    if (other || mine->out[number].count == TN_SHARD_OUT)
        return FREE_NODE; // the block may be of either epoch, or another thread is about to unify
    out_add(mine, number, (tn_shard_freed)epoch << 32 | node);
    if (number == 0) {
        bool paused = tn_load_relaxed(&pool->range.pause) != 0;
        return paused || mine->out[0].count == TN_SHARD_OUT ? FLUSH_MAIN : NOTHING;
    }
    if (mine->out[number].count == TN_SHARD_OUT) {
        tn_pool_shard *to = shard_at(pool, number);
        uint64_t at = tn_load_relaxed(&to->end);
        do {
            // Acquire: the place that is used again has been cleared.
            if (at + TN_SHARD_OUT - tn_load_acquire(&to->first) > TN_SHARD_INBOX) return UNIFY;
        } while (!tn_cas_weak_relaxed(&to->end, &at, at + TN_SHARD_OUT));
        for (uint32_t i = 0; i < TN_SHARD_OUT; i++)
            tn_store_release(&to->inbox[(at + i) % TN_SHARD_INBOX], mine->out[number].freed[i]);
        mine->out[number].count = 0;
    }
    return NOTHING;
}

tn_pool_shard *tn_pool_shard_of(tarn_pool *pool, tn_pool_cache *cache) {
    if (cache != NULL && cache->shard == NULL) shard_join(pool, cache);
    return cache != NULL ? cache->shard : NULL;
}

// Ends a block that is not of the shard `mine`, as tn_pool_shard_free() does.
static __attribute__((noinline)) tn_pool_freed free_other(tarn_pool *pool, tn_pool_shard *mine,
                                                          tarn_addr addr, tn_granule_entry *entry,
                                                          bool keep) {
    tn_pool_freed freed = {.node = 0};
    uint32_t value = tn_load_acquire(entry);
    (void)tn_biased_lock(&mine->lock);
    unsigned number;
    uint32_t epoch;
    do {
        if (value == 0 || (value & TN_SLAB_BIT) != 0) {
            tn_biased_unlock(&mine->lock);
            return freed;
        }
        number = value >> TN_ENTRY_SHARD_SHIFT;
        epoch = number != 0 ? tn_load_acquire(&shard_at(pool, number)->epoch) : 0;
    } while (!tn_cas_acq_rel(entry, &value, 0));
    uint32_t node = value & TN_ENTRY_NODE;
    bool found = tn_pool_addr(pool, tn_fit_start(&mine->fit, node)) == addr;
    int rest = NOTHING;
    if (found) {
        freed = tn_pool_piece_describe(&mine->fit, node, keep);
        if (!keep && (freed.mark & (TN_MARK_SHARED | TN_MARK_ASLEEP)) == 0)
            rest = free_claimed(pool, mine, number, epoch, node);
    }
    tn_biased_unlock(&mine->lock);
    if (__builtin_expect(!found, 0)) {
        tn_pool_fit_lock(pool); // the block was claimed by an address within it
        tn_store_release(entry, node);
        tn_pool_fit_unlock(pool);
    }
    if (__builtin_expect(rest == FLUSH_MAIN, 0)) {
        (void)tn_pool_main_lock(pool);
        (void)tn_biased_lock(&mine->lock);
        flush_main(pool, mine);
        tn_biased_unlock(&mine->lock);
        tn_pool_main_unlock(pool);
    } else if (__builtin_expect(rest != NOTHING, 0)) {
        tn_pool_fit_lock(pool);
        if (rest == FREE_NODE) tn_pool_piece_free(pool, node);
        tn_pool_fit_unlock(pool);
    }
    return freed;
}

// The blocks of a shard change under its lock only, so the block is read before it is claimed.
tn_pool_freed tn_pool_shard_free(tarn_pool *pool, tn_pool_shard *mine, tarn_addr addr,
                                 tn_granule_entry *entry, bool keep) {
    tn_pool_freed freed = {.node = 0};
    (void)tn_biased_lock(&mine->lock);
    uint32_t value = tn_load_acquire(entry);
    bool own = value >> TN_ENTRY_SHARD_SHIFT == mine->number;
    bool found = false;
    if (__builtin_expect(own, 1)) {
        uint32_t node = value & TN_ENTRY_NODE;
        freed = tn_pool_piece_describe(&mine->fit, node, keep);
        found = tn_pool_addr(pool, tn_fit_start(&mine->fit, node)) == addr &&
                tn_cas_acq_rel(entry, &value, 0); // another thread may have claimed it
        if (__builtin_expect(
                found && !keep && (freed.mark & (TN_MARK_SHARED | TN_MARK_ASLEEP)) == 0, 1))
            free_own(mine, node);
    }
    tn_biased_unlock(&mine->lock);
    if (__builtin_expect(!own, 0)) return free_other(pool, mine, addr, entry, keep);
    return found ? freed : (tn_pool_freed){.node = 0};
}
