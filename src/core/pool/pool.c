// SPDX-License-Identifier: Apache-2.0
// Pools: creation, and the public calls that allocate and free. Here arguments are checked and
// requests are turned into units; the work is done in the other files (pool.h lists them).
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hostfn.h"
#include "base/struct.h"
#include "core/address/notify.h"
#include "core/platform/platform.h"
#include "core/pool/array.h"
#include "core/pool/choice.h"
#include "core/pool/fence.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"
#include "core/pool/rule.h"

#define ALIGN_MAX       (UINT64_C(2) << 20) // of a request; unit 0 lies at a multiple of it
#define EXACT_MAX       (UINT64_C(8) << 20) // FIXED ranges below have no size classes
#define SEGMENT_DEFAULT (UINT64_C(32) << 20)
#define SLABS_MAX       (UINT64_C(1) << 22)

tarn_status tn_pool_unusable(const tarn_pool *pool) {
    return pool == NULL ? tn_fail(TARN_BAD_ARGUMENT, "pool NULL")
                        : tn_fail(TARN_FORKED, "the pool belongs to the parent process");
}

bool tn_pool_in_hostfn(const tarn_pool *pool) {
    return pool->desc.device != NULL && tn_hostfn_inside(pool->desc.device->platform->p);
}

tarn_status tn_pool_may_wait(const tarn_pool *pool) {
    tarn_status status = tn_pool_usable(pool);
    return status == TARN_OK && pool->desc.device != NULL
               ? tn_platform_may_wait(pool->desc.device->platform)
               : status;
}

// ---- creation

static tarn_status check_desc(tarn_pool_desc *desc) {
    const tarn_rule none = {0, 0, 0};
    const tarn_rule *rule = &desc->rule;
    if (rule->start == none.start && rule->rounding == none.rounding &&
        rule->padding == none.padding) {
        (void)tarn_rule_get(TARN_RULE_GPU_256, &desc->rule);
    }
    if (!tn_rule_is_good(rule)) {
        return tn_fail(TARN_BAD_ARGUMENT, "a rule of start %u, rounding %u, padding %u",
                       rule->start, rule->rounding, rule->padding);
    }
    if (desc->kind < TARN_POOL_FIXED || desc->kind > TARN_POOL_EXPANDABLE) {
        return tn_fail(TARN_BAD_ARGUMENT, "no pool is of kind %d", (int)desc->kind);
    }
    if ((desc->flags & ~(uint32_t)(TARN_POOL_STRICT | TARN_POOL_FENCE | TARN_POOL_FENCE_EXACT |
                                   TARN_POOL_USER_WORDS)) != 0) {
        return tn_fail(TARN_BAD_ARGUMENT, "flags 0x%x are unknown", desc->flags);
    }
    if (desc->kind == TARN_POOL_FIXED &&
        (desc->bytes == 0 || desc->base + desc->bytes - 1 < desc->base)) {
        return tn_fail(TARN_BAD_ARGUMENT, "a range of %llu bytes from 0x%llx",
                       (unsigned long long)desc->bytes, (unsigned long long)desc->base);
    }
    desc->segment_bytes = desc->segment_bytes != 0 ? desc->segment_bytes : SEGMENT_DEFAULT;
    return TARN_OK;
}

static unsigned shift_of(uint64_t power) {
    return (unsigned)__builtin_ctzll(power);
}

// Decides what a unit is, and whether small blocks have classes.
static void set_units(tarn_pool *pool, uint64_t bytes) {
    uint64_t unit = pool->rule.start;
    bool classes = pool->desc.kind != TARN_POOL_FIXED || bytes >= EXACT_MAX;
    if (classes && unit < 16) {
        unit = 16;
    }
    while (bytes / unit >= TN_FIT_MAX_UNITS) {
        unit *= 2;
    }
    pool->unit_shift = shift_of(unit);
    pool->small_max = 0;
    pool->large_min = 0;
    if (classes && unit <= TN_SMALL_MAX) {
        tn_pool_classes_init(&pool->classes, pool->unit_shift);
        pool->small_max = TN_SMALL_MAX;
        pool->large_min = TN_SMALL_MAX;
    }
}

// The range of addresses that the pool can ever have, and its map.
static tarn_status set_range(tarn_pool *pool) {
    uint64_t first = pool->desc.base;
    uint64_t bytes = pool->desc.bytes;
    if (pool->source != NULL) {
        bool pages = pool->source->ops->map != NULL;
        first = pages ? pool->source->base : 0;
        bytes = pages ? pool->source->bytes : 0;
    }
    set_units(pool, bytes);
    pool->base = first & ~(ALIGN_MAX - 1);
    unsigned shift = pool->small_max != 0 ? TN_SMALL_SHIFT : pool->unit_shift;
    // Segments may come to lie anywhere.
    uint64_t mapped = bytes != 0 ? bytes + (first - pool->base) : UINT64_MAX;
    return tn_granule_init(&pool->map, pool->base, mapped, shift);
}

// The span of a range, and aside the incomplete unit at its end.
static tarn_status add_range(tarn_pool *pool) {
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    if (pool->source != NULL) {
        return pool->source->ops->map == NULL
                   ? TARN_OK
                   : tn_pool_add_span(pool, TN_LIST_ASIDE, pool->source->base, pool->source->bytes);
    }
    tarn_addr base = pool->desc.base;
    uint64_t end = base - pool->base + pool->desc.bytes;
    uint64_t first = tn_pool_units(pool, base - pool->base);
    pool->tail_bytes = end % unit;
    pool->tail_start = end / unit;
    if (pool->tail_bytes == 0 || pool->tail_start < first) {
        pool->tail_bytes = 0;
        return tn_pool_add_span(pool, TN_LIST_FREE, base, pool->desc.bytes);
    }
    // One span with the incomplete unit in it, which is then put aside.
    tarn_status status =
        tn_pool_add_span(pool, TN_LIST_FREE, base, pool->desc.bytes - pool->tail_bytes + unit);
    if (status == TARN_OK) {
        tn_pool_piece_set_tail_aside(pool);
    }
    return status;
}

static tarn_status make_slabs(tarn_pool *pool) {
    void *array = NULL;
    pool->slab_room = 0;
    if (pool->small_max == 0) {
        return TARN_OK;
    }
    tarn_status status =
        tn_pool_array_map(sizeof(tn_slab), SLABS_MAX, 4096, &array, &pool->slab_room);
    pool->slabs = (tn_slab *)array;
    return status;
}

static tarn_status make_words(tarn_pool *pool) {
    void *array = NULL;
    uint64_t room;
    if ((pool->desc.flags & TARN_POOL_USER_WORDS) == 0) {
        return TARN_OK;
    }
    tarn_status status =
        tn_pool_array_map(sizeof pool->words[0], pool->node_room, pool->node_room, &array, &room);
    pool->words = (_Atomic(uint64_t) *)array;
    return status;
}

static void unmake(tarn_pool *pool) {
    while (pool->slab_bytes != NULL) {
        tn_slab_bytes *next = pool->slab_bytes->next;
        free(pool->slab_bytes);
        pool->slab_bytes = next;
    }
    tn_pool_array_unmap(pool->slabs, sizeof(tn_slab), pool->slab_room);
    tn_pool_array_unmap(pool->words, sizeof pool->words[0], pool->node_room);
    tn_pool_piece_destroy(pool);
    tn_granule_destroy(&pool->map);
    tn_mutex_fini(&pool->grow_lock);
    tn_mutex_fini(&pool->order_lock);
    free(pool);
}

tarn_status tn_pool_create_over(const tarn_pool_desc *desc, tn_pool_source *source,
                                tn_pool_order *order, tarn_pool **pool) {
    tarn_pool *p = (tarn_pool *)calloc(1, sizeof *p);
    if (p == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for a pool");
    }
    p->desc = *desc;
    tn_fork_watch();
    p->generation = tn_load_relaxed(&tn_fork_generation);
    tn_mutex_init(&p->grow_lock, TN_RANK_POOL_GROW, "pool growth");
    tn_mutex_init(&p->order_lock, TN_RANK_POOL_ORDER, "pool order");
    tarn_status status = check_desc(&p->desc);
    p->asked = p->desc.kind;
    p->rule = p->desc.rule;
    p->source = source;
    if (status == TARN_OK) {
        status = set_range(p);
    }
    if (status == TARN_OK) {
        status = tn_pool_piece_init(p);
    }
    if (status == TARN_OK) {
        status = tn_pool_stream_init(p);
    }
    if (status == TARN_OK) {
        status = make_slabs(p);
    }
    if (status == TARN_OK) {
        status = make_words(p);
    }
    if (status == TARN_OK) {
        status = add_range(p);
    }
    if (status != TARN_OK) {
        tn_pool_stream_destroy(p);
        unmake(p);
        return status;
    }
    p->order = order;
    p->plain = p->words == NULL;
    tn_store_relaxed(&p->release_threshold, UINT64_MAX);
    tn_pool_cache_enlist(p);
    if (tn_subscribed()) {
        tn_pool_emit_birth(p);
    }
    *pool = p;
    return TARN_OK;
}

tarn_status tarn_pool_create(const tarn_pool_desc *desc, tarn_pool **pool) {
    tarn_pool_desc own;
    tn_pool_source *source = NULL;
    tn_pool_order *order = NULL;
    tarn_pool *made = NULL;
    tarn_pool_kind asked;
    char reason[TARN_POOL_REASON] = "";
    struct tn_pool_fence *fence = NULL;
    uint32_t fenced = 0;
    if (desc == NULL || pool == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "%s NULL", desc == NULL ? "desc" : "pool");
    }
    tarn_status status = tn_struct_read(&own, sizeof own, desc, "tarn_pool_desc");
    if (status == TARN_OK) {
        status = check_desc(&own);
    }
    if (status == TARN_OK && own.kind != TARN_POOL_FIXED && own.device == NULL) {
        status = tn_fail(TARN_BAD_ARGUMENT, "a pool of kind %d needs a device", (int)own.kind);
    }
    asked = own.kind;
    if (status == TARN_OK) {
        status = tn_fence_wanted(&own, &fenced);
    }
    if (status == TARN_OK && fenced != 0) {
        status = tn_fence_create(&own, fenced, &fence);
    }
    if (status == TARN_OK && own.kind != TARN_POOL_FIXED) {
        tn_emit_for_pool(true);
        status = tn_pool_source_choose(&own, &source, reason);
        tn_emit_for_pool(false);
    }
    if (status == TARN_OK && own.device != NULL) {
        status = tn_pool_order_events(own.device, &order);
    }
    own.grants = NULL; // the source has what it needs
    if (status == TARN_OK) {
        status = tn_pool_create_over(&own, source, order, &made);
    }
    if (status == TARN_OK) {
        made->asked = asked;
        made->fence = fence;
        made->plain = made->plain && fence == NULL;
        memcpy(made->reason, reason, sizeof reason);
        *pool = made;
    }
    if (status != TARN_OK && order != NULL) {
        order->ops->destroy(order);
    }
    if (status != TARN_OK && source != NULL) {
        source->ops->destroy(source);
    }
    if (status != TARN_OK && fence != NULL) {
        tn_fence_destroy(fence);
    }
    return status;
}

// ---- the end

// Segments are the pool's own until the end; the one reservation of pages goes with its source.
static void give_segments_back(tarn_pool *pool) {
    if (pool->source == NULL || pool->source->ops->map != NULL) {
        return;
    }
    for (size_t i = 0; i < pool->span_count; i++) {
        tn_pool_lose_segment(pool, pool->spans[i].addr, pool->spans[i].bytes, 0);
    }
}

tarn_status tarn_pool_destroy(tarn_pool *pool) {
    if (pool == NULL) {
        return TARN_OK;
    }
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    tarn_status status = tn_pool_may_wait(pool);
    if (status == TARN_OK) {
        status = tarn_pool_query_stats(pool, &stats);
    }
    if (status != TARN_OK) {
        return status;
    }
    if (stats.live_blocks != 0) {
        return tn_fail(TARN_BUSY, "%llu blocks of the pool are live",
                       (unsigned long long)stats.live_blocks);
    }
    tn_pool_threshold_forget(pool);
    if (tn_subscribed()) {
        tn_pool_emit_death(pool);
    }
    if (pool->fence != NULL) {
        tn_fence_reset(pool); // those whose streams have not passed yet
    }
    tn_pool_cache_delist(pool);
    tn_pool_stream_destroy(pool);
    if (pool->fence != NULL) {
        tn_fence_destroy(pool->fence);
    }
    give_segments_back(pool);
    if (pool->source != NULL) {
        pool->source->ops->destroy(pool->source);
    }
    unmake(pool);
    return TARN_OK;
}

static void drop_cache(tn_pool_cache *cache, void *arg) {
    tarn_pool *pool = (tarn_pool *)arg;
    for (unsigned r = 0; r < TN_POOL_SLOTS; r++) {
        for (unsigned c = 0; cache->magazines[r] != NULL && c < pool->classes.count; c++) {
            cache->magazines[r][c].count = 0;
        }
    }
    tn_pool_tally_fold(&cache->tally, &pool->totals);
}

tarn_status tarn_pool_reset(tarn_pool *pool) {
    tarn_status status = tn_pool_may_wait(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (tn_subscribed()) {
        tn_pool_emit_reset(pool);
    }
    if (pool->fence != NULL) {
        tn_fence_reset(pool);
        return TARN_OK;
    }
    tn_mutex_lock(&pool->grow_lock);
    tn_pool_cache_each(pool, drop_cache, pool);
    tn_pool_stream_reset(pool);
    tn_pool_small_reset(pool);
    tn_pool_piece_reset(pool);
    tn_pool_totals_reset(&pool->totals);
    tn_mutex_unlock(&pool->grow_lock);
    return TARN_OK;
}

// ---- allocation

// A class whose blocks all lie at multiples of `alignment`; the count when there is none.
static unsigned aligned_class(const tarn_pool *pool, uint64_t occupied, uint64_t alignment) {
    unsigned c = tn_pool_class_of(&pool->classes, occupied);
    while (c < pool->classes.count && pool->classes.stride[c] % alignment != 0) {
        c++;
    }
    return c;
}

static tarn_status too_much(tarn_pool *pool, uint64_t bytes) {
    (void)tn_add_relaxed(&pool->refusals, 1);
    return tn_fail(TARN_NO_DEVICE_MEMORY, "%llu bytes are more than any pool holds",
                   (unsigned long long)bytes);
}

static tarn_status alloc_large(tarn_pool *pool, uint64_t bytes, uint64_t occupied,
                               uint64_t alignment, unsigned slot, uint32_t tag, tarn_addr *addr) {
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    uint64_t least = occupied > pool->large_min ? occupied : pool->large_min;
    tn_pool_want want = {tn_pool_units(pool, least),
                         alignment > unit ? alignment : unit,
                         occupied,
                         bytes,
                         slot,
                         tag};
    if (__builtin_expect(want.units >= TN_FIT_MAX_UNITS / 2, 0)) {
        return too_much(pool, bytes);
    }
    tarn_status status = tn_pool_large_alloc(pool, &want, addr);
    if (__builtin_expect(status != TARN_OK, 0)) {
        (void)tn_add_relaxed(&pool->refusals, 1);
    }
    return status;
}

static tarn_status alloc_small(tarn_pool *pool, unsigned class_index, unsigned slot, uint32_t tag,
                               uint32_t bytes, tarn_addr *addr) {
    tarn_status status = tn_pool_small_alloc(pool, class_index, slot, tag, bytes, addr);
    if (__builtin_expect(status != TARN_OK, 0)) {
        (void)tn_add_relaxed(&pool->refusals, 1);
    }
    return status;
}

static inline __attribute__((always_inline)) tarn_status alloc(tarn_pool *pool, uint64_t bytes,
                                                               uint64_t alignment,
                                                               tarn_stream stream, uint32_t tag,
                                                               tarn_addr *addr) {
    unsigned slot = 0;
    uint64_t occupied = tn_rule_occupied(&pool->rule, bytes);
    if (__builtin_expect(occupied == 0, 0)) {
        return too_much(pool, bytes);
    }
    if (stream != 0) {
        tarn_status status = tn_pool_slot_find(pool, stream, &slot);
        if (status != TARN_OK) {
            return status;
        }
    }
    if (occupied <= pool->small_max) {
        unsigned c = alignment == 0 ? tn_pool_class_of(&pool->classes, occupied)
                                    : aligned_class(pool, occupied, alignment);
        if (c < pool->classes.count) {
            return alloc_small(pool, c, slot, tag, (uint32_t)bytes, addr);
        }
    }
    return alloc_large(pool, bytes, occupied, alignment, slot, tag, addr);
}

// Allocates from any pool: one with a fence, with user words, or with a subscriber.
static __attribute__((noinline)) tarn_status
alloc_any(tarn_pool *pool, const tarn_pool_request *request, tarn_addr *addr) {
    if (pool->fence != NULL) {
        return tn_fence_alloc(pool, request, addr);
    }
    tarn_status status =
        alloc(pool, request->bytes, request->alignment, request->stream, request->tag, addr);
    if (status == TARN_OK && pool->words != NULL) {
        (void)tn_pool_set_block_user(pool, *addr, request->user);
    }
    if (status == TARN_OK && tn_subscribed()) {
        tn_pool_emit_alloc(pool, *addr, request->bytes, request->stream);
    }
    return status;
}

static __attribute__((cold, noinline)) tarn_status
alloc_plain(tarn_pool *pool, uint64_t bytes, tarn_stream stream, tarn_addr *addr) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    request.bytes = bytes;
    request.stream = stream;
    return alloc_any(pool, &request, addr);
}

tarn_status tarn_pool_alloc(tarn_pool *pool, uint64_t bytes, tarn_stream stream, tarn_addr *addr) {
    tarn_status status = tn_pool_usable(pool);
    if (__builtin_expect(status != TARN_OK, 0)) {
        return status;
    }
    if (__builtin_expect(bytes == 0 || addr == NULL, 0)) {
        return tn_fail(TARN_BAD_ARGUMENT, "bytes %llu, addr %p", (unsigned long long)bytes,
                       (void *)addr);
    }
    if (__builtin_expect(!pool->plain, 0) || tn_subscribed()) {
        return tn_keep_frame(alloc_plain(pool, bytes, stream, addr));
    }
    return alloc(pool, bytes, 0, stream, 0, addr);
}

tarn_status tarn_pool_alloc_with(tarn_pool *pool, const tarn_pool_request *request,
                                 tarn_addr *addr) {
    tarn_pool_request own;
    tarn_status status = tn_pool_usable(pool);
    if (status != TARN_OK) {
        return status;
    }
    if (request == NULL || addr == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "request %p, addr %p", (const void *)request,
                       (void *)addr);
    }
    status = tn_struct_read(&own, sizeof own, request, "tarn_pool_request");
    if (status != TARN_OK) {
        return status;
    }
    if (own.bytes == 0 || own.alignment > ALIGN_MAX || (own.alignment & (own.alignment - 1)) != 0 ||
        own.tag >= TARN_POOL_TAGS) {
        return tn_fail(TARN_BAD_ARGUMENT, "bytes %llu, alignment %llu, tag %u",
                       (unsigned long long)own.bytes, (unsigned long long)own.alignment, own.tag);
    }
    return tn_keep_frame(alloc_any(pool, &own, addr));
}

static __attribute__((cold, noinline)) tarn_status free_told(tarn_pool *pool, tarn_addr addr) {
    tn_granule_entry *entry = tn_granule_at(&pool->map, addr);
    uint32_t record = entry != NULL ? tn_load_acquire(entry) : 0;
    if (record == 0 && addr == 0) {
        return TARN_OK;
    }
    tarn_status status = (record & TN_SLAB_BIT) != 0 ? tn_pool_small_free_told(pool, addr, record)
                                                     : tn_pool_large_free_told(pool, addr, entry);
    return tn_refused(status, "tarn_pool_free", addr, pool->id);
}

tarn_status tarn_pool_free(tarn_pool *pool, tarn_addr addr) {
    tarn_status status = tn_pool_usable(pool);
    if (__builtin_expect(status != TARN_OK, 0)) {
        return status;
    }
    if (__builtin_expect(pool->fence != NULL, 0)) {
        return tn_keep_frame(tn_fence_free(pool, addr));
    }
    if (tn_subscribed()) {
        return tn_keep_frame(free_told(pool, addr));
    }
    tn_granule_entry *entry = tn_granule_at(&pool->map, addr);
    uint32_t record = entry != NULL ? tn_load_acquire(entry) : 0;
    if ((record & TN_SLAB_BIT) != 0) {
        return tn_pool_small_free(pool, addr, record);
    }
    if (__builtin_expect(record == 0 && addr == 0, 0)) {
        return TARN_OK;
    }
    return tn_pool_large_free(pool, addr, entry);
}
