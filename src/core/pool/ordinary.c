// SPDX-License-Identifier: Apache-2.0
// Allocation and free: the public calls, and the ordinary pools behind them. A pool without user
// words takes the fast path through tarn_pool_alloc() and tarn_pool_free() if no tool subscribes.
// Every other case goes through the table of operations. Any thread.
#include "base/error.h"
#include "base/struct.h"
#include "core/address/notify.h"
#include "core/pool/fit/large.h"
#include "core/pool/plan/plan.h"
#include "core/pool/pool.h"
#include "core/pool/report/count.h"
#include "core/pool/report/notify.h"
#include "fail/point.h"

// Requests up to this overflow nowhere. Larger ones take the slower path.
#define PLAIN_MAX (UINT64_C(1) << 44)

// A thread that used the pool last has found it usable, in this process, and plain.
static inline __attribute__((always_inline)) bool is_recent(const tarn_pool *pool) {
    return __builtin_expect(pool != NULL && tn_pool_recent.id == pool->plain_id, 1) &&
           !tn_subscribed();
}

// ---- allocation

// Allocates a block of a class with no block left. Other threads may take the blocks of a new slab.
// When none can be added, the attempt has still reclaimed the blocks of other threads.
static __attribute__((noinline)) bool grow_small(tarn_pool *pool, tn_pool_cache *cache, unsigned c,
                                                 unsigned slot, uint32_t tag, uint32_t bytes,
                                                 uint64_t user, tarn_addr *addr, uint64_t *used) {
    bool grown = true;
    bool found = false;
    while (grown && !found) {
        grown = tn_pool_slab_grow(pool, slot, c);
        found = tn_pool_small_alloc(pool, cache, c, slot, tag, bytes, &user, addr, used);
    }
    return found;
}

// Allocates for a slot: a small block if a class has blocks for the request, else a piece of the
// range. The pool grows where neither is left. As the last resort a small block is a piece too.
// `recent` states that is_recent() holds, and that the request overflows nowhere and has no
// alignment.
static inline __attribute__((always_inline)) tarn_status
alloc_block(tarn_pool *pool, tn_pool_cache *cache, bool recent, uint64_t bytes, uint64_t alignment,
            unsigned slot, uint32_t tag, uint64_t user, tarn_addr *addr) {
    uint64_t occupied = tn_rule_occupied(&pool->rule, bytes); // 0: it overflows
    uint64_t used;
    bool found = false;
    unsigned c =
        recent || occupied != 0 ? tn_pool_small_class(pool, occupied, alignment) : TN_CLASSES;
    if (c != TN_CLASSES) {
        if (__builtin_expect(pool->plan != NULL, 0) && alignment == 0)
            c = tn_load_relaxed(&pool->plan->joined[c]);
        found = tn_pool_small_alloc(pool, cache, c, slot, tag, (uint32_t)bytes,
                                    recent ? NULL : &user, addr, &used);
        if (__builtin_expect(!found, 0)) {
            uint64_t grown; // so that `used` stays in a register
            found = grow_small(pool, cache, c, slot, tag, (uint32_t)bytes, user, addr, &grown);
            used = grown;
            alignment = tn_pool_slab_alignment(pool, c);
        }
    }
    if (!found) {
        if (__builtin_expect(pool->plan != NULL, 0)) {
            if (!recent || alignment != 0 ||
                !tn_pool_planned_alloc_quick(pool, bytes, occupied, slot, addr))
                TN_TRY(tn_pool_planned_alloc(pool, cache, bytes, occupied, alignment, slot, tag,
                                             addr));
        } else if (!recent || alignment != 0 ||
                   !tn_pool_large_alloc_quick(pool, cache, bytes, occupied, slot, tag, addr))
            TN_TRY(tn_pool_large_alloc(pool, cache, bytes, occupied, alignment, slot, tag, addr));
        if (!recent && (pool->desc.flags & TARN_POOL_USER_WORDS) != 0)
            (void)tn_pool_large_set_user(pool, *addr, user);
        used = occupied;
    }
    tn_pool_count(pool, cache, true, tag, bytes, used);
    return TARN_OK;
}

static tarn_status ordinary_alloc(tarn_pool *pool, const tarn_pool_request *request,
                                  tarn_addr *addr) {
    unsigned slot;
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    tarn_status status = tn_pool_slot_find(pool, cache, request->stream, &slot);
    if (status == TARN_OK) {
        status = alloc_block(pool, cache, false, request->bytes, request->alignment, slot,
                             request->tag, request->user, addr);
    }
    if (status == TARN_OK && tn_subscribed())
        tn_pool_emit_alloc(pool, *addr, request->bytes, request->stream);
    if (status != TARN_OK && tn_subscribed()) tn_pool_emit_shortage(pool, request, status);
    return status;
}

static __attribute__((noinline)) tarn_status alloc_checked(tarn_pool *pool, uint64_t bytes,
                                                           tarn_stream stream, tarn_addr *addr) {
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(bytes == 0 || addr == NULL, TARN_BAD_ARGUMENT, "%s",
              bytes == 0 ? "bytes is 0" : "addr is NULL");
    const tarn_pool_request request = {
        .struct_size = sizeof request, .bytes = bytes, .stream = stream};
    return pool->ops->alloc(pool, &request, addr);
}

tarn_status tarn_pool_alloc(tarn_pool *pool, uint64_t bytes, tarn_stream stream, tarn_addr *addr) {
    TN_FAIL_POINT(0, bytes);
    tn_pool_cache *cache = tn_pool_recent.cache;
    bool quick = is_recent(pool) && __builtin_expect(bytes - 1 < PLAIN_MAX && addr != NULL, 1);
    unsigned slot = 0;
    if (quick && stream != 0) {
        quick = __builtin_expect(cache->stream == stream, 1);
        slot = tn_load_relaxed(&cache->slot);
    }
    if (!quick) return TN_DONE(alloc_checked(pool, bytes, stream, addr));
    if (cache == NULL) __builtin_unreachable();
    return TN_DONE(alloc_block(pool, cache, true, bytes, 0, slot, 0, 0, addr));
}

tarn_status tarn_pool_alloc_with(tarn_pool *pool, const tarn_pool_request *request,
                                 tarn_addr *addr) {
    TN_FAIL_POINT(0, request != NULL ? request->bytes : 0);
    tarn_pool_request other;
    const tarn_pool_request *own =
        request; // of this version: a copy would take longer than the rest
    TN_TRY(tn_pool_usable(pool));
    TN_REFUSE(request == NULL || addr == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              request == NULL ? "request" : "addr");
    if (request->struct_size != sizeof other) {
        TN_TRY(tn_struct_read(&other, sizeof other, request, "tarn_pool_request"));
        own = &other;
    }
    TN_REFUSE(own->bytes == 0 || own->alignment > TN_POOL_ALIGN_MAX ||
                  (own->alignment & (own->alignment - 1)) != 0 || own->tag >= TARN_POOL_TAGS,
              TARN_BAD_ARGUMENT, "bytes is %llu, alignment %llu, tag %u",
              (unsigned long long)own->bytes, (unsigned long long)own->alignment, own->tag);
    return TN_DONE(pool->ops->alloc(pool, own, addr));
}

// ---- free

// `record` is the value of the granule entry of `addr`. `recent` states that is_recent() holds.
// With `emits`, the event precedes every reuse of the bytes, so the block is kept until it is
// emitted. Events are emitted under no spin lock.
static inline __attribute__((always_inline)) tarn_status
free_block(tarn_pool *pool, tn_pool_cache *cache, bool recent, tarn_addr addr,
           tn_granule_entry *entry, uint32_t record, bool emits) {
    tn_pool_freed freed;
    bool found;
    if ((record & TN_SLAB_BIT) != 0) {
        found = tn_pool_small_free(pool, cache, addr, record, emits, &freed);
    } else if (recent && tn_pool_large_free_quick(pool, cache, addr, entry, &freed)) {
        tn_pool_count(pool, cache, false, freed.mark & TN_MARK_TAG, freed.bytes,
                      tn_rule_occupied_by(&pool->rule, freed.bytes));
        return TARN_OK;
    } else {
        tn_pool_freed slow = {0}; // so that `freed` stays in registers
        found = tn_pool_large_free(pool, cache, addr, entry, emits, &slow);
        freed = slow;
        freed.occupied = tn_rule_occupied_by(&pool->rule, freed.bytes);
    }
    if (__builtin_expect(!found, 0)) return tn_pool_no_block(addr);
    if (emits) tn_pool_emit_free(pool, addr, freed.occupied, freed.slot);
    tn_pool_count(pool, cache, false, freed.mark & TN_MARK_TAG, freed.bytes, freed.occupied);
    if (__builtin_expect(!emits && (freed.mark & (TN_MARK_SHARED | TN_MARK_ASLEEP)) == 0, 1))
        return TARN_OK;
    bool shared = (freed.mark & TN_MARK_SHARED) != 0;
    if ((freed.mark & TN_MARK_ASLEEP) != 0) {
        shared = tn_pool_sleep_free(pool, addr, freed.node);
    } else if (!shared && freed.node != 0) {
        tn_pool_fit_lock(pool);
        tn_pool_block_free(pool, freed.node);
        tn_pool_fit_unlock(pool);
    } else if (!shared) {
        tn_pool_small_return(pool, cache, freed.packed);
    }
    if (shared) tn_pool_defer(pool, addr, freed.node, freed.packed, freed.occupied);
    return TARN_OK;
}

static tarn_status ordinary_free(tarn_pool *pool, tarn_addr addr, tarn_stream stream,
                                 const char *call) {
    tarn_status status = TARN_OK;
    tn_granule_entry *entry = tn_granule_at(&pool->map, addr);
    uint32_t record = entry != NULL ? tn_load_acquire(entry) : 0;
    if (record == 0 && addr == 0) return TARN_OK;
    if (stream != 0 || pool->streams.selects_reuse)
        status = tn_pool_free_begin(pool, addr, record, stream);
    if (status == TARN_OK)
        status =
            free_block(pool, tn_pool_cache_of(pool), false, addr, entry, record, tn_subscribed());
    return tn_refused(status, call, addr, 0, pool->id);
}

static __attribute__((noinline)) tarn_status free_checked(tarn_pool *pool, tarn_addr addr) {
    TN_TRY(tn_pool_usable(pool));
    return pool->ops->free(pool, addr, 0, "tarn_pool_free");
}

tarn_status tarn_pool_free(tarn_pool *pool, tarn_addr addr) {
    tn_granule_entry *entry = is_recent(pool) ? tn_granule_at(&pool->map, addr) : NULL;
    uint32_t record = __builtin_expect(entry != NULL, 1) ? tn_load_acquire(entry) : 0;
    if (__builtin_expect(record == 0, 0)) return TN_DONE(free_checked(pool, addr));
    tn_pool_cache *cache = tn_pool_recent.cache;
    if (cache == NULL) __builtin_unreachable();
    return TN_DONE(free_block(pool, cache, true, addr, entry, record, false));
}

tarn_status tarn_pool_free_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream) {
    TN_FAIL_POINT(addr, 0);
    TN_TRY(tn_pool_usable(pool));
    return TN_DONE(pool->ops->free(pool, addr, stream, "tarn_pool_free_on"));
}

// ---- reset

static void ordinary_reset(tarn_pool *pool) {
    tn_pool_grow_lock(pool);
    tn_pool_cache_reset(pool);
    tn_pool_forget_streams(pool);
    tn_pool_slab_reset(pool);
    tn_pool_sleep_reset(pool);
    tn_plan_arena_reset(pool);
    tn_pool_piece_reset(pool);
    tn_pool_count_reset(pool);
    tn_pool_grow_unlock(pool);
}

const tn_pool_ops tn_pool_ordinary = {
    .alloc = ordinary_alloc,
    .free = ordinary_free,
    .extend = tn_pool_extend,
    .used_on = tn_pool_used_on,
    .find = tn_pool_find,
    .set_user = tn_pool_set_user,
    .walk = tn_pool_walk,
    .fill_stats = tn_pool_fill_stats,
    .fill_report = tn_pool_fill_report,
    .reset_peaks = tn_pool_reset_peaks,
    .reset = ordinary_reset,
};
