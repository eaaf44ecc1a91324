// SPDX-License-Identifier: Apache-2.0
// Allocation and free: the public calls, and the ordinary pools behind them. A pool without user
// words takes the fast path through tarn_pool_alloc() and tarn_pool_free() if no tool subscribes.
// Every other case goes through the table of operations. Any thread.
#include "base/error.h"
#include "base/struct.h"
#include "core/address/notify.h"
#include "core/pool/large.h"
#include "core/pool/notify.h"
#include "core/pool/small/count.h"
#include "fail/point.h"

// Requests up to this overflow nowhere. Larger ones take the slower path.
#define PLAIN_MAX (UINT64_C(1) << 39)

// A thread that used the pool last has found it usable, in this process, and plain.
static inline __attribute__((always_inline)) bool is_recent(const tarn_pool *pool) {
    return __builtin_expect(pool != NULL && tn_pool_recent.id == pool->plain_id, 1) &&
           !tn_subscribed();
}

// ---- allocation

// Adds a slab to a class: at the place that the plan has for it, or by growth. Returns false if none
// can be added.
static bool add_slab(tarn_pool *pool, unsigned home, unsigned c, unsigned slot) {
    const tn_pool_want want = tn_pool_slab_want(pool, slot, c);
    uint32_t stride = pool->classes.stride[c];
    uint32_t node = 0;
    while (pool->plan != NULL && tn_plan_slab_waits(pool, &want, stride, &node))
        tn_pool_grow_arena(pool, slot);
    if (node == 0) {
        TN_GROW_LOCKED(pool);
        if (tn_pool_grow(pool, &want, &node) != TARN_OK) return false;
    }
    return tn_pool_slab_add(pool, home, slot, c, node);
}

// Takes a block of a class with no block left. Other threads may take the blocks of a new slab. When
// none can be added, the attempt has still reclaimed the blocks of other threads.
static __attribute__((noinline)) uint64_t grow_small(tarn_pool *pool, tn_pool_cache *cache,
                                                     unsigned c, unsigned slot) {
    uint64_t packed = 0;
    for (bool grown = true; packed == 0 && grown;) {
        grown = add_slab(pool, cache != NULL ? cache->home : 0, c, slot);
        packed = tn_pool_small_take(pool, cache, c, slot);
    }
    return packed;
}

// Allocates a small block if a class has blocks for the request, else a large one. As the last
// resort a small block has a piece of its own too.
static tarn_status alloc_block(tarn_pool *pool, tn_pool_cache *cache, unsigned slot,
                               const tarn_pool_request *request, tarn_addr *addr) {
    uint64_t used = tn_rule_occupied(&pool->rule, request->bytes); // 0: it overflows
    unsigned c = used != 0 ? tn_pool_small_class(pool, used, request->alignment) : TN_CLASSES;
    uint64_t packed = c != TN_CLASSES ? tn_pool_small_take(pool, cache, c, slot) : 0;
    if (__builtin_expect(packed == 0 && c != TN_CLASSES, 0))
        packed = grow_small(pool, cache, c, slot);
    if (packed != 0) {
        tn_pool_small_set_word(pool, packed, request->user);
        used = tn_pool_small_start(pool, packed, request->tag, (uint32_t)request->bytes, addr);
    } else {
        uint64_t alignment = c != TN_CLASSES ? tn_pool_slab_alignment(pool, c) : request->alignment;
        if (cache == NULL || used - 1 >= PLAIN_MAX || alignment != 0 ||
            !tn_pool_large_alloc_quick(pool, cache, request->bytes, used, slot, request->tag,
                                       addr)) {
            tn_pool_want want = {.bytes = request->bytes,
                                 .occupied = used,
                                 .align = alignment,
                                 .slot = slot,
                                 .mark = request->tag};
            TN_TRY(tn_pool_large_alloc(pool, cache, &want, addr));
        }
        if ((pool->desc.flags & TARN_POOL_USER_WORDS) != 0)
            (void)tn_pool_large_set_user(pool, *addr, request->user);
    }
    tn_pool_count(pool, cache, true, request->tag, request->bytes, used);
    return TARN_OK;
}

static __attribute__((noinline)) tarn_status
ordinary_alloc(tarn_pool *pool, const tarn_pool_request *request, tarn_addr *addr) {
    unsigned slot;
    tn_pool_cache *cache = tn_pool_cache_of(pool);
    tarn_status status = tn_pool_slot_find(pool, cache, request->stream, &slot);
    if (status == TARN_OK) status = alloc_block(pool, cache, slot, request, addr);
    if (status == TARN_OK && tn_subscribed())
        tn_pool_emit_alloc(pool, *addr, request->bytes, request->stream);
    if (status != TARN_OK && tn_subscribed()) tn_pool_emit_shortage(pool, request, status);
    return status;
}

// Allocates for a plain request that overflows nowhere, of a thread for which is_recent() holds. The
// thread's cache, the plan's next place or the range mostly serves it at once.
static inline __attribute__((always_inline)) tarn_status
alloc_plain(tarn_pool *pool, tn_pool_cache *cache, uint64_t bytes, unsigned slot, tarn_addr *addr) {
    uint64_t used = tn_rule_occupied(&pool->rule, bytes);
    unsigned c = tn_pool_small_class(pool, used, 0);
    if (c != TN_CLASSES) {
        uint64_t packed = tn_pool_small_take(pool, cache, c, slot);
        if (__builtin_expect(packed == 0, 0)) {
            const tarn_pool_request request = {.bytes = bytes,
                                               .stream = tn_pool_slot_stream(pool, slot)};
            return ordinary_alloc(pool, &request, addr);
        }
        used = tn_pool_small_start(pool, packed, 0, (uint32_t)bytes, addr);
    } else if (!tn_pool_large_alloc_quick(pool, cache, bytes, used, slot, 0, addr)) {
        tn_pool_want want = {.bytes = bytes, .occupied = used, .slot = slot};
        TN_TRY(tn_pool_large_alloc(pool, cache, &want, addr));
    }
    tn_pool_count(pool, cache, true, 0, bytes, used);
    return TARN_OK;
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
    return TN_DONE(alloc_plain(pool, cache, bytes, slot, addr));
}

tarn_status tarn_pool_alloc_with(tarn_pool *pool, const tarn_pool_request *request,
                                 tarn_addr *addr) {
    TN_FAIL_POINT(0, request != NULL ? request->bytes : 0);
    // A request of this version is not copied, which would take longer than the rest.
    const tarn_pool_request *own = request;
    tarn_pool_request other;
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

// Returns a block that was kept until its event was emitted, is used on other streams, or sleeps.
static __attribute__((noinline)) void return_kept(tarn_pool *pool, tn_pool_cache *cache,
                                                  tarn_addr addr, tn_pool_freed freed) {
    bool shared = (freed.mark & TN_MARK_SHARED) != 0;
    if ((freed.mark & TN_MARK_ASLEEP) != 0) {
        shared = tn_pool_sleep_free(pool, addr, freed.node);
    } else if (!shared && freed.node != 0) {
        TN_FIT_LOCKED(pool);
        tn_pool_block_free(pool, freed.node);
    } else if (!shared) {
        tn_pool_small_return(pool, cache, freed.packed);
    }
    if (shared) tn_pool_defer(pool, addr, freed.node, freed.packed, freed.occupied);
}

// Counts a block that has ended, and returns it if it was kept. With `emits`, its event precedes
// every reuse of the bytes, so the block was kept until now. Events are emitted under no spin lock.
static inline __attribute__((always_inline)) tarn_status
free_done(tarn_pool *pool, tn_pool_cache *cache, tarn_addr addr, tn_pool_freed freed, bool emits) {
    if (__builtin_expect(freed.bytes == 0, 0)) return tn_pool_no_block(addr);
    if (emits) tn_pool_emit_free(pool, addr, freed.occupied, freed.slot);
    tn_pool_count(pool, cache, false, freed.mark & TN_MARK_TAG, freed.bytes, freed.occupied);
    if (__builtin_expect(emits || (freed.mark & (TN_MARK_SHARED | TN_MARK_ASLEEP)) != 0, 0))
        return_kept(pool, cache, addr, freed);
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
    if (status == TARN_OK) {
        tn_pool_cache *cache = tn_pool_cache_of(pool);
        bool emits = tn_subscribed();
        status = free_done(pool, cache, addr,
                           (record & TN_SLAB_BIT) != 0
                               ? tn_pool_small_free(pool, cache, addr, record, emits)
                               : tn_pool_large_free(pool, cache, addr, entry, emits),
                           emits);
    }
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
    return TN_DONE(free_done(pool, cache, addr,
                             (record & TN_SLAB_BIT) != 0
                                 ? tn_pool_small_free(pool, cache, addr, record, false)
                                 : tn_pool_large_free_quick(pool, cache, addr, entry),
                             false));
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
