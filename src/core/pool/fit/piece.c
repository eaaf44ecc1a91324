// SPDX-License-Identifier: Apache-2.0
// The pieces of a pool's range: spans, and the nodes that the fit takes and frees in them. The fit
// lock guards all of it. The lock is held for tens of nanoseconds and never across a call of the
// device. Large blocks and slabs are such pieces.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pages.h"
#include "core/pool/array.h"
#include "core/pool/fit/piece.h"
#include "core/pool/fit/shard.h"
#include "core/pool/pool.h"

enum {
    NODES_MAX = 1 << 26,
    SPANS_FIRST = 8,
    RUNS_MAX = 256,   // pieces of a stream around which a run is searched for
    LONGEST_MAX = 32, // pieces among which the lowest address is searched for
};

#define READY_AHEAD (UINT64_C(256) << 20) // bytes of a fixed range

// ---- spans

void tn_pool_piece_gather(tarn_pool *pool, bool gathers) {
    pool->range.short_units = gathers ? pool->range.short_most : 0;
    if (!gathers) tn_pool_piece_ungather(pool);
}

tarn_status tn_pool_piece_init(tarn_pool *pool, tarn_addr base, uint64_t bytes,
                               uint64_t short_bytes) {
    uint64_t nodes = NODES_MAX;
    pool->range.base = base;
    if (bytes != 0) {
        uint64_t piece = pool->large_min != 0 ? pool->large_min : UINT64_C(1) << pool->unit_shift;
        // Two for each taken piece, as a free one may lie beside it, and the reserve.
        nodes = 2 * (bytes / piece) + 64 + TN_SHARD_EXTRA;
        nodes = nodes < NODES_MAX ? nodes : NODES_MAX;
    }
    void *array;
    TN_TRY(tn_pool_array_map(sizeof(tn_fit_node), nodes, nodes < 65536 ? nodes : 65536,
                             nodes * sizeof(tn_fit_node) >= TN_HUGE_MIN, &array,
                             &pool->range.node_room));
    pool->range.fit.nodes = (tn_fit_node *)array; // for tn_pool_piece_destroy()
    tarn_status status = tn_pool_array_map(sizeof *pool->range.lists, TN_FIT_LISTS, TN_FIT_LISTS,
                                           false, &array, &pool->range.list_room);
    if (status != TARN_OK) return status;
    pool->range.lists = (tn_fit_bins **)array;
    tn_fit_init(&pool->range.fit, pool->range.fit.nodes, (uint32_t)pool->range.node_room,
                pool->range.lists, TN_FIT_LISTS);
    tn_fit_set_list(&pool->range.fit, TN_LIST_FIRST, &pool->range.first_bins);
    tn_fit_set_list(&pool->range.fit, TN_LIST_ASIDE, &pool->range.aside_bins);
    tn_fit_set_list(&pool->range.fit, TN_LIST_SHORT, &pool->range.short_bins);
    pool->range.free_list = TN_LIST_FIRST;
    pool->range.short_most = short_bytes >> pool->unit_shift;
    tn_pool_piece_gather(pool, pool->desc.plan == NULL);
    tn_biased_init(&pool->range.lock, TN_RANK_POOL_FIT, "pool fit");
    if ((pool->desc.flags & TARN_POOL_USER_WORDS) != 0) {
        uint64_t room;
        status = tn_pool_array_map(sizeof *pool->range.words, pool->range.node_room,
                                   pool->range.node_room, false, &array, &room);
        pool->range.words = status == TARN_OK ? (_Atomic(uint64_t) *)array : NULL;
    }
    return status;
}

void tn_pool_piece_destroy(tarn_pool *pool) {
    tn_pool_array_unmap(pool->range.words, sizeof *pool->range.words, pool->range.node_room);
    tn_pool_array_unmap(pool->range.fit.nodes, sizeof(tn_fit_node), pool->range.node_room);
    tn_pool_array_unmap(pool->range.lists, sizeof *pool->range.lists, pool->range.list_room);
    free(pool->range.spans);
}

// Makes room for one more span. Spans change under the growth lock, so only the swap needs fit.
static tarn_status reserve_span(tarn_pool *pool) {
    if (pool->range.span_count < pool->range.span_capacity) return TARN_OK;
    size_t capacity = pool->range.span_capacity != 0 ? 2 * pool->range.span_capacity : SPANS_FIRST;
    tn_pool_span *more = (tn_pool_span *)malloc(capacity * sizeof *more);
    TN_REFUSE(more == NULL, TARN_NO_HOST_MEMORY, "out of host memory for %zu spans", capacity);
    (void)tn_pool_main_lock(pool);
    tn_pool_span *old = pool->range.spans;
    if (old != NULL) memcpy(more, old, pool->range.span_count * sizeof *more);
    pool->range.spans = more;
    pool->range.span_capacity = capacity;
    tn_pool_main_unlock(pool);
    free(old);
    return TARN_OK;
}

tarn_status tn_pool_add_span(tarn_pool *pool, unsigned list, tarn_addr addr, uint64_t bytes) {
    if (pool->range.span_count == 0 && pool->desc.kind == TARN_POOL_SEGMENTS) {
        // Units are counted from a round address not far below the first span.
        (void)tn_pool_main_lock(pool);
        pool->range.base = addr & ~((UINT64_C(1) << 48) - 1);
        tn_pool_main_unlock(pool);
    }
    TN_REFUSE(addr < pool->range.base ||
                  (addr - pool->range.base + bytes) >> pool->unit_shift > TN_FIT_MAX_START,
              TARN_NO_ADDRESS_SPACE, "0x%llx is too far from the pool's other memory",
              (unsigned long long)addr);
    uint64_t first = tn_pool_units(pool, addr - pool->range.base);
    uint64_t end = (addr - pool->range.base + bytes) >> pool->unit_shift;
    TN_TRY(tn_granule_cover(&pool->map, addr, bytes));
    if (pool->desc.kind == TARN_POOL_SEGMENTS) tn_granule_commit(&pool->map, addr, bytes);
    TN_TRY(reserve_span(pool));
    if (end <= first) return TARN_OK;
    (void)tn_pool_main_lock(pool);
    tn_pool_span span = {tn_fit_add_span(&pool->range.fit, list, first, end - first), addr, bytes};
    if (span.head != 0) { // in order of addresses
        size_t at = pool->range.span_count++;
        while (at > 0 && pool->range.spans[at - 1].addr > addr) {
            pool->range.spans[at] = pool->range.spans[at - 1];
            at--;
        }
        pool->range.spans[at] = span;
    }
    tn_pool_main_unlock(pool);
    return span.head != 0
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "the pool already uses all %u records of its pieces",
                         pool->range.fit.capacity);
}

bool tn_pool_span_get(const tarn_pool *pool, size_t number, tn_pool_span *span) {
    if (number >= pool->range.span_count) return false;
    *span = pool->range.spans[number];
    return true;
}

// Returns true if a span is entirely free for all streams, and its memory is not in use. Under fit.
static bool span_is_free(const tarn_pool *pool, const tn_pool_span *span) {
    uint32_t node = tn_piece_after(pool, span->head);
    return tn_piece_is_free(pool, node) && !pool->range.unsettled &&
           tn_piece_after(pool, node) == 0;
}

tn_pool_span tn_pool_find_free_span(tarn_pool *pool, uint64_t want) {
    tn_pool_span best = {0, 0, 0};
    tn_pool_fit_lock_growing(pool);
    for (size_t i = 0; i < pool->range.span_count; i++) {
        const tn_pool_span *span = &pool->range.spans[i];
        bool covers = span->bytes >= want;
        bool better =
            best.bytes >= want ? covers && span->bytes < best.bytes : span->bytes > best.bytes;
        if (better && span_is_free(pool, span)) best = *span;
    }
    tn_pool_fit_unlock(pool);
    return best;
}

uint64_t tn_pool_free_span_bytes(tarn_pool *pool) {
    uint64_t bytes = 0;
    tn_pool_fit_lock_growing(pool);
    for (size_t i = 0; i < pool->range.span_count; i++)
        if (span_is_free(pool, &pool->range.spans[i])) bytes += pool->range.spans[i].bytes;
    tn_pool_fit_unlock(pool);
    return bytes;
}

bool tn_pool_remove_span(tarn_pool *pool, tarn_addr addr) {
    bool removed = false;
    tn_pool_fit_lock_growing(pool);
    for (size_t i = 0; i < pool->range.span_count && !removed; i++) {
        tn_pool_span *span = &pool->range.spans[i];
        if (span->addr == addr && span_is_free(pool, span)) {
            tn_fit_remove_span(&pool->range.fit, span->head);
            pool->range.span_count--;
            memmove(span, span + 1, (pool->range.span_count - i) * sizeof *span);
            removed = true;
        }
    }
    tn_pool_fit_unlock(pool);
    return removed;
}

uint32_t tn_pool_span_take(tarn_pool *pool, const tn_pool_want *want, tarn_addr addr) {
    uint32_t node = 0;
    (void)tn_pool_main_lock(pool);
    for (size_t i = 0; i < pool->range.span_count; i++) {
        const tn_pool_span *span = &pool->range.spans[i];
        if (span->addr == addr && span_is_free(pool, span))
            node = tn_pool_piece_take_from(pool, want, tn_piece_after(pool, span->head));
    }
    tn_pool_main_unlock(pool);
    return node;
}

// ---- the need

void tn_pool_drop_need(tarn_pool *pool, uint64_t keep) {
    uint64_t need = keep >> pool->unit_shift;
    tn_pool_fit_lock(pool);
    need = need > pool->range.taken_units ? need : pool->range.taken_units;
    if (need < pool->range.peak_taken_units) pool->range.peak_taken_units = need;
    tn_pool_fit_unlock(pool);
}

// ---- take and free

// Takes the incomplete last unit of a fixed range, which lies aside, and free units just before it.
// It serves only a block whose own last unit is incomplete too.
uint32_t tn_pool_piece_take_tail(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->range.tail != 0);
    tn_fit *fit = &pool->range.fit;
    uint64_t before_units = want->units - 1;
    uint32_t before = tn_fit_before(fit, pool->range.tail);
    uint64_t start = tn_pool_addr(pool, pool->range.tail_start - before_units);
    if ((pool->range.tail_slot != 0 && pool->range.tail_slot != want->slot) ||
        (start & (want->align - 1)) != 0 ||
        want->occupied > (before_units << pool->unit_shift) + pool->range.tail_bytes)
        return 0;
    if (before_units == 0) {
        uint32_t node = tn_fit_carve(fit, pool->range.tail, 0, 1);
        pool->range.tail = 0;
        return node;
    }
    if (!tn_fit_is_free(fit, before, pool->range.free_list) ||
        tn_fit_units(fit, before) < before_units)
        return 0;
    uint32_t node =
        tn_fit_carve(fit, before, tn_fit_units(fit, before) - before_units, before_units);
    (void)tn_fit_carve(fit, pool->range.tail, 0, 1);
    tn_fit_join(fit, node);
    pool->range.tail = 0;
    return node;
}

// Puts the incomplete unit at the end of a free node aside.
static void put_tail_aside(tarn_pool *pool, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->range.tail_bytes != 0 && pool->range.tail == 0);
    uint32_t tail =
        tn_fit_carve(&pool->range.fit, node, tn_fit_units(&pool->range.fit, node) - 1, 1);
    TARN_ASSERT(tail != 0);
    pool->range.tail = tn_fit_free(&pool->range.fit, tail, TN_LIST_ASIDE);
}

tarn_status tn_pool_add_range(tarn_pool *pool) {
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    tarn_addr base = pool->desc.base;
    uint64_t end = base - pool->range.base + pool->desc.bytes;
    uint64_t first = tn_pool_units(pool, base - pool->range.base);
    pool->range.tail_bytes = end % unit;
    pool->range.tail_start = end / unit;
    if (pool->range.tail_bytes == 0 || pool->range.tail_start < first) {
        pool->range.tail_bytes = 0;
        return tn_pool_add_span(pool, TN_LIST_FIRST, base, pool->desc.bytes);
    }
    // One span that contains the incomplete unit, which is then put aside.
    tarn_status status = tn_pool_add_span(pool, TN_LIST_FIRST, base,
                                          pool->desc.bytes - pool->range.tail_bytes + unit);
    if (status == TARN_OK) {
        tn_pool_fit_lock(pool);
        put_tail_aside(pool, tn_fit_after(&pool->range.fit, pool->range.spans[0].head));
        tn_pool_fit_unlock(pool);
    }
    return status;
}

// Takes the best of the pieces that the slot's own lists and the free list would give. With an
// alignment the first list that has one gives it.
uint32_t tn_pool_piece_search_shared(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && pool->range.sole == TN_POOL_SHARED);
    tn_fit *fit = &pool->range.fit;
    const tn_pool_lists *own = &tn_pool_slot_at(pool, want->slot)->lists;
    const unsigned lists[3] = {own->ids[own->young], own->ids[own->young ^ 1u],
                               pool->range.free_list};
    uint64_t align = want->align >> pool->unit_shift;
    uint32_t best = 0;
    uint32_t taken = 0;
    // The slot that allocates most gains a point by each allocation and loses some by those of
    // others.
    if (want->slot == pool->range.streak_slot) {
        pool->range.streak++;
    } else if (pool->range.streak >= TN_STREAK_GUEST) {
        pool->range.streak -= TN_STREAK_GUEST;
    } else {
        pool->range.streak = 0;
        pool->range.streak_slot = want->slot;
    }
    for (unsigned i = want->slot != 0 ? 0 : 2; i < 3 && taken == 0; i++) {
        if (align > 1) {
            taken = tn_fit_take(fit, lists[i], want->units, align);
            continue;
        }
        uint32_t node = tn_fit_search(fit, lists[i], want->units);
        if (node != 0 && (best == 0 || tn_fit_units(fit, node) < tn_fit_units(fit, best)))
            best = node;
    }
    return best != 0 ? tn_fit_carve(fit, best, 0, want->units) : taken;
}

// A fixed range is used from its start on, and the entries of the map are committed some way ahead.
// The system call is made under the fit lock, once for READY_AHEAD bytes never used before.
void tn_pool_piece_extend_high(tarn_pool *pool, uint64_t end) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && end > pool->range.high_units);
    pool->range.high_units = end;
    if (end > pool->range.ready_units && pool->desc.kind == TARN_POOL_FIXED) {
        uint64_t from = pool->range.ready_units << pool->unit_shift;
        uint64_t to = (end << pool->unit_shift) + READY_AHEAD;
        to = to < pool->map.bytes ? to : pool->map.bytes;
        tn_granule_commit(&pool->map, pool->range.base + from, to - from);
        pool->range.ready_units = to >> pool->unit_shift;
    }
}

// Counts units that were taken, up to `end`.
static void count_taken(tarn_pool *pool, uint64_t units, uint64_t end) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && units != 0);
    pool->range.taken_units += units;
    if (pool->range.taken_units > pool->range.peak_taken_units)
        pool->range.peak_taken_units = pool->range.taken_units;
    if (end > pool->range.high_units) tn_pool_piece_extend_high(pool, end);
}

uint32_t tn_pool_piece_take(tarn_pool *pool, const tn_pool_want *want) {
    return tn_pool_piece_take_inline(pool, want);
}

uint32_t tn_pool_piece_take_from(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && node != 0 && !tn_piece_is_taken(pool, node));
    if (want->mark == TN_MARK_CHUNK) {
        node = tn_fit_carve(&pool->range.fit, node, 0, tn_fit_units(&pool->range.fit, node));
        tn_fit_assign(&pool->range.fit, node, want->slot, TN_MARK_CHUNK, 0);
        return node;
    }
    uint64_t align = want->align >> pool->unit_shift;
    uint64_t skip = (0 - tn_fit_start(&pool->range.fit, node)) & (align - 1);
    uint32_t taken = tn_fit_carve(&pool->range.fit, node, skip, want->units);
    if (taken != 0) tn_pool_piece_assign(pool, want, taken);
    return taken;
}

static uint32_t take_of_list(tarn_pool *pool, const tn_pool_want *want, unsigned list) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && want->units != 0);
    bool common = list == pool->range.free_list && pool->range.sole != TN_POOL_SHARED;
    uint32_t node = 0;
    if (!tn_piece_has_records(pool)) return 0;
    if (common && want->units < pool->range.short_units) {
        node = tn_pool_piece_take_short(pool, want);
    } else {
        if (common) tn_pool_piece_ungather(pool);
        node = tn_fit_take(&pool->range.fit, list, want->units, want->align >> pool->unit_shift);
    }
    if (node != 0) tn_pool_piece_assign(pool, want, node);
    return node;
}

uint32_t tn_pool_piece_take_settled(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    return pool->range.unsettled ? 0 : take_of_list(pool, want, pool->range.free_list);
}

uint32_t tn_pool_piece_take_of(tarn_pool *pool, const tn_pool_want *want, unsigned from, bool young,
                               uint64_t record) {
    const tn_pool_slot *slot = tn_pool_slot_at(pool, from);
    const tn_pool_lists *lists = &slot->lists;
    TN_FIT_LOCKED(pool);
    // A free raises the number before its piece comes to the list, under this lock.
    if (young && tn_load_relaxed(&slot->young_record) != record) return 0;
    unsigned list = young && pool->range.sole == from ? pool->range.free_list
                                                      : lists->ids[lists->young ^ !young];
    return take_of_list(pool, want, list);
}

// ---- short blocks

bool tn_pool_piece_promote(tarn_pool *pool, unsigned list, unsigned most) {
    TARN_ASSERT(list != pool->range.free_list);
    uint32_t node = 0;
    for (unsigned i = 0; i < most && (node = tn_piece_largest(pool, list)) != 0; i++) {
        node = tn_piece_carve(pool, node, 0, tn_piece_units(pool, node));
        (void)tn_piece_release(pool, node, false);
    }
    return node != 0;
}

// Returns the free piece of at least `units` that has the lowest address among the longest ones.
static uint32_t lowest_piece(const tarn_pool *pool, uint64_t units) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    uint32_t lowest = 0;
    int left = LONGEST_MAX;
    for (uint32_t k = tn_piece_largest(pool, pool->range.free_list);
         k != 0 && left > 0 && tn_piece_units(pool, k) >= units; left--) {
        if (lowest == 0 || tn_piece_addr(pool, k) < tn_piece_addr(pool, lowest)) lowest = k;
        k = tn_piece_next_smaller(pool, k);
    }
    return lowest;
}

// Room for short blocks is taken from the lowest addresses, so that they keep few handles from
// moving.
uint32_t tn_pool_piece_take_short(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && want->units < pool->range.short_units);
    uint64_t align = want->align >> pool->unit_shift;
    uint64_t least = want->units + align - 1;
    uint64_t most = pool->range.short_units > least ? pool->range.short_units : least;
    uint32_t node = tn_fit_take(&pool->range.fit, TN_LIST_SHORT, want->units, align);
    if (node != 0 || (node = lowest_piece(pool, least)) == 0) return node;
    uint64_t units = tn_piece_units(pool, node);
    node = tn_piece_carve(pool, node, 0, units < most ? units : most);
    (void)tn_fit_free(&pool->range.fit, node, TN_LIST_SHORT);
    return tn_fit_take(&pool->range.fit, TN_LIST_SHORT, want->units, align);
}

// ---- runs

bool tn_pool_piece_is_usable(const tarn_pool *pool, uint32_t node, unsigned slot) {
    TARN_ASSERT(tn_pool_fit_is_held(pool));
    const tn_pool_lists *own = &tn_pool_slot_at(pool, slot)->lists;
    return tn_piece_is_free(pool, node) ||
           (slot != 0 && (tn_fit_is_free(&pool->range.fit, node, own->ids[0]) ||
                          tn_fit_is_free(&pool->range.fit, node, own->ids[1])));
}

// Takes `units`, from `skip` units after the start of a run on. Each piece keeps its list for the
// part that is left of it. Returns 0 if no node is left.
static uint32_t carve_run(tarn_pool *pool, uint32_t node, uint64_t skip, uint64_t units) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && units != 0);
    tn_fit *fit = &pool->range.fit;
    uint32_t taken = 0;
    while (skip >= tn_fit_units(fit, node)) {
        skip -= tn_fit_units(fit, node);
        node = tn_fit_after(fit, node);
    }
    while (units > 0) {
        uint64_t have = tn_fit_units(fit, node) - skip;
        uint64_t part = have < units ? have : units;
        uint32_t piece = tn_fit_carve(fit, node, skip, part);
        if (piece == 0) break;
        units -= part;
        skip = 0;
        node = tn_fit_after(fit, piece);
        if (taken == 0)
            taken = piece;
        else
            tn_fit_join(fit, taken);
    }
    return taken;
}

// Tries the runs around the slot's own pieces; any other run is one piece.
uint32_t tn_pool_piece_take_run(tarn_pool *pool, const tn_pool_want *want) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && want->units != 0);
    const tn_pool_lists *own = &tn_pool_slot_at(pool, want->slot)->lists;
    tn_fit *fit = &pool->range.fit;
    uint64_t align = want->align >> pool->unit_shift;
    int left = RUNS_MAX;
    for (unsigned i = 0; i < 2 && want->slot != 0; i++) {
        uint32_t next;
        for (uint32_t k = tn_fit_largest(fit, own->ids[i]); k != 0 && left > 0; k = next) {
            uint64_t units =
                0; // of the usable pieces side by side around it, and the first of them
            uint32_t first = k;
            while (tn_pool_piece_is_usable(pool, tn_piece_before(pool, first), want->slot))
                first = tn_piece_before(pool, first);
            for (uint32_t p = first; tn_pool_piece_is_usable(pool, p, want->slot);
                 p = tn_piece_after(pool, p))
                units += tn_piece_units(pool, p);
            uint64_t skip = (0 - tn_fit_start(fit, first)) & (align - 1);
            next = tn_fit_next_smaller(fit, k);
            left--;
            if (units >= want->units + skip && tn_fit_room(fit) >= TN_POOL_NODE_RESERVE) {
                uint32_t node = carve_run(pool, first, skip, want->units);
                tn_pool_piece_assign(pool, want, node);
                return node;
            }
        }
    }
    return 0;
}

bool tn_pool_piece_extend(tarn_pool *pool, uint32_t node, uint64_t units) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && tn_piece_is_taken(pool, node) && units != 0);
    tn_fit *fit = &pool->range.fit;
    unsigned slot = tn_fit_list(fit, node);
    uint64_t behind = 0;
    for (uint32_t k = tn_fit_after(fit, node);
         behind < units && tn_pool_piece_is_usable(pool, k, slot); k = tn_fit_after(fit, k))
        behind += tn_fit_units(fit, k);
    if (behind < units || tn_fit_room(fit) < TN_POOL_NODE_RESERVE) return false;
    (void)carve_run(pool, tn_fit_after(fit, node), 0, units);
    tn_fit_join(fit, node);
    count_taken(pool, units, tn_fit_start(fit, node) + tn_fit_units(fit, node));
    return true;
}

// ---- free and reset

void tn_pool_piece_free_tail(tarn_pool *pool, uint32_t node, unsigned slot) {
    TARN_ASSERT(tn_pool_fit_is_held(pool) && !tn_piece_is_taken(pool, node));
    put_tail_aside(pool, node);
    pool->range.tail_slot = slot;
    pool->range.tail_marked = false;
}

void tn_pool_piece_free(tarn_pool *pool, uint32_t node) { tn_pool_piece_free_inline(pool, node); }

void tn_pool_piece_reset(tarn_pool *pool) {
    tn_fit *fit = &pool->range.fit;
    tn_pool_fit_lock(pool);
    for (uint32_t k = 1; k < fit->used; k++) {
        if (tn_fit_state(fit, k) == TN_FIT_TAKEN && tn_fit_units(fit, k) != 0) {
            tn_granule_put(&pool->map, tn_pool_addr(pool, tn_fit_start(fit, k)), 0);
            (void)tn_fit_free(fit, k, pool->range.free_list);
        }
    }
    if (pool->range.tail_bytes != 0 && pool->range.tail == 0) {
        // No node is taken, so the range is one piece.
        put_tail_aside(pool, tn_fit_after(&pool->range.fit, pool->range.spans[0].head));
    }
    pool->range.taken_units = 0;
    pool->range.tail_slot = 0;
    pool->range.sole = 0;
    pool->range.streak = 0; // the next stream to allocate becomes the sole one, as at first
    pool->range.unsettled = false;
    tn_pool_fit_unlock(pool);
}
