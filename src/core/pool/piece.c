// SPDX-License-Identifier: Apache-2.0
// The core of a pool: its fit, under the core lock, which is held for tens of nanoseconds and never
// across a call of the device. Large blocks come straight from here, and runs for slabs.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/pool/array.h"
#include "core/pool/notify.h"
#include "core/pool/pool.h"
#include "core/pool/rule.h"

enum { NODES_MAX = 1 << 26, SPANS_FIRST = 8 };

#define READY_AHEAD (UINT64_C(256) << 20) // bytes

// ---- spans

tarn_status tn_pool_piece_init(tarn_pool *pool) {
    uint64_t range = pool->source != NULL ? pool->source->bytes : pool->desc.bytes;
    uint64_t nodes = NODES_MAX;
    if (range != 0) {
        uint64_t piece = pool->small_max != 0 ? pool->large_min : UINT64_C(1) << pool->unit_shift;
        // Each taken piece and a free one beside it, and the reserve.
        nodes = 2 * (range / piece) + 64;
        nodes = nodes < NODES_MAX ? nodes : NODES_MAX;
    }
    void *array;
    tarn_status status = tn_pool_array_map(sizeof(tn_fit_node), nodes,
                                           nodes < 65536 ? nodes : 65536, &array, &pool->node_room);
    if (status != TARN_OK) {
        return status;
    }
    tn_fit_init(&pool->fit, (tn_fit_node *)array, (uint32_t)pool->node_room);
    tn_fit_set_list(&pool->fit, TN_LIST_FREE, &pool->free_bins);
    tn_fit_set_list(&pool->fit, TN_LIST_ASIDE, &pool->aside_bins);
    tn_spin_init(&pool->fit_lock, TN_RANK_POOL_FIT, "pool fit");
    return TARN_OK;
}

void tn_pool_piece_destroy(tarn_pool *pool) {
    tn_pool_array_unmap(pool->fit.nodes, sizeof(tn_fit_node), pool->node_room);
    free(pool->spans);
}

// Room for one more span. Spans change under the growth lock, so only the swap needs core.
static tarn_status reserve_span(tarn_pool *pool) {
    if (pool->span_count < pool->span_capacity) {
        return TARN_OK;
    }
    size_t capacity = pool->span_capacity != 0 ? 2 * pool->span_capacity : SPANS_FIRST;
    tn_pool_span *more = (tn_pool_span *)malloc(capacity * sizeof *more);
    if (more == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no host memory for %zu spans", capacity);
    }
    tn_spin_lock(&pool->fit_lock);
    tn_pool_span *old = pool->spans;
    if (old != NULL) {
        memcpy(more, old, pool->span_count * sizeof *more);
    }
    pool->spans = more;
    pool->span_capacity = capacity;
    tn_spin_unlock(&pool->fit_lock);
    free(old);
    return TARN_OK;
}

static void insert_span(tarn_pool *pool, const tn_pool_span *span) {
    size_t at = pool->span_count++;
    while (at > 0 && pool->spans[at - 1].addr > span->addr) {
        pool->spans[at] = pool->spans[at - 1];
        at--;
    }
    pool->spans[at] = *span;
}

// Units are counted from a round address not far below the first span.
static tarn_status set_base(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    if (pool->span_count == 0 && pool->desc.kind == TARN_POOL_SEGMENTS) {
        tn_spin_lock(&pool->fit_lock);
        pool->base = addr & ~((UINT64_C(1) << 48) - 1);
        tn_spin_unlock(&pool->fit_lock);
    }
    if (addr < pool->base || (addr - pool->base + bytes) >> pool->unit_shift > TN_FIT_MAX_START) {
        return tn_fail(TARN_NO_ADDRESS_SPACE, "0x%llx is too far from the pool's other memory",
                       (unsigned long long)addr);
    }
    return TARN_OK;
}

tarn_status tn_pool_add_span(tarn_pool *pool, unsigned list, tarn_addr addr, uint64_t bytes) {
    tarn_status status = set_base(pool, addr, bytes);
    if (status != TARN_OK) {
        return status;
    }
    uint64_t first = tn_pool_units(pool, addr - pool->base);
    uint64_t end = (addr - pool->base + bytes) >> pool->unit_shift;
    status = tn_granule_cover(&pool->map, addr, bytes);
    if (status == TARN_OK && pool->desc.kind == TARN_POOL_SEGMENTS) {
        tn_granule_commit(&pool->map, addr, bytes);
    }
    if (status == TARN_OK) {
        status = reserve_span(pool);
    }
    if (status != TARN_OK || end <= first) {
        return status;
    }
    tn_spin_lock(&pool->fit_lock);
    tn_pool_span span = {tn_fit_add_span(&pool->fit, list, first, end - first), addr, bytes};
    if (span.head != 0) {
        insert_span(pool, &span);
    }
    tn_spin_unlock(&pool->fit_lock);
    return span.head != 0 ? TARN_OK : tn_fail(TARN_NO_HOST_MEMORY, "no record left for a span");
}

bool tn_pool_remove_span(tarn_pool *pool, tarn_addr addr) {
    bool removed = false;
    tn_spin_lock(&pool->fit_lock);
    for (size_t i = 0; i < pool->span_count && !removed; i++) {
        uint32_t node = tn_fit_after(&pool->fit, pool->spans[i].head);
        if (pool->spans[i].addr == addr && tn_fit_is_free(&pool->fit, node, TN_LIST_FREE) &&
            tn_fit_after(&pool->fit, node) == 0) {
            tn_fit_remove_span(&pool->fit, pool->spans[i].head);
            pool->span_count--;
            memmove(&pool->spans[i], &pool->spans[i + 1],
                    (pool->span_count - i) * sizeof pool->spans[0]);
            removed = true;
        }
    }
    tn_spin_unlock(&pool->fit_lock);
    return removed;
}

// ---- taking and giving

// The last unit of a fixed range may be incomplete. It lies aside, and serves only a block whose
// own last unit is incomplete too and which starts in the free units just before it.
static uint32_t take_tail(tarn_pool *pool, const tn_pool_want *want) {
    tn_fit *fit = &pool->fit;
    uint64_t before_units = want->units - 1;
    uint32_t before = tn_fit_before(fit, pool->tail);
    uint64_t start = tn_pool_addr(pool, pool->tail_start - before_units);
    if (want->slot != 0 || (start & (want->align - 1)) != 0 ||
        want->occupied > (before_units << pool->unit_shift) + pool->tail_bytes) {
        return 0;
    }
    if (before_units == 0) {
        uint32_t node = tn_fit_carve(fit, pool->tail, 0, 1);
        pool->tail = 0;
        return node;
    }
    if (!tn_fit_is_free(fit, before, TN_LIST_FREE) || tn_fit_units(fit, before) < before_units) {
        return 0;
    }
    uint32_t node =
        tn_fit_carve(fit, before, tn_fit_units(fit, before) - before_units, before_units);
    (void)tn_fit_carve(fit, pool->tail, 0, 1);
    tn_fit_join(fit, node);
    pool->tail = 0;
    return node;
}

// Puts the incomplete unit at the end of a free node aside again.
static void give_tail(tarn_pool *pool, uint32_t node) {
    uint32_t tail = tn_fit_carve(&pool->fit, node, tn_fit_units(&pool->fit, node) - 1, 1);
    TARN_ASSERT(tail != 0);
    pool->tail = tn_fit_free(&pool->fit, tail, TN_LIST_ASIDE);
}

void tn_pool_piece_set_tail_aside(tarn_pool *pool) {
    tn_spin_lock(&pool->fit_lock);
    give_tail(pool, tn_fit_after(&pool->fit, pool->spans[0].head));
    tn_spin_unlock(&pool->fit_lock);
}

static uint32_t search(tarn_pool *pool, const tn_pool_want *want) {
    tn_fit *fit = &pool->fit;
    uint64_t align = want->align >> pool->unit_shift;
    uint32_t node = 0;
    if (want->slot != 0) {
        unsigned young = 2 * want->slot + tn_pool_slot_at(pool, want->slot)->young;
        node = tn_fit_take(fit, young, want->units, align);
        node = node != 0 ? node : tn_fit_take(fit, young ^ 1u, want->units, align);
    }
    return node != 0 ? node : tn_fit_take(fit, TN_LIST_FREE, want->units, align);
}

// A fixed range is used from its start on; the map's entries are committed some way ahead. The
// system call is made with the core locked, once in so many bytes that have never been used before.
static __attribute__((noinline)) void reach(tarn_pool *pool, uint64_t end) {
    pool->high_units = end;
    if (end > pool->ready_units && pool->source == NULL) {
        uint64_t from = pool->ready_units << pool->unit_shift;
        uint64_t to = (end << pool->unit_shift) + READY_AHEAD;
        to = to < pool->map.bytes ? to : pool->map.bytes;
        tn_granule_commit(&pool->map, pool->base + from, to - from);
        pool->ready_units = to >> pool->unit_shift;
    }
}

static inline void note(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    tn_fit *fit = &pool->fit;
    uint64_t start = tn_fit_start(fit, node);
    uint64_t end = start + want->units;
    tn_fit_assign(fit, node, want->slot, want->mark, want->bytes);
    pool->taken_units += want->units;
    if (pool->taken_units > pool->peak_taken_units) {
        pool->peak_taken_units = pool->taken_units;
    }
    if (end > pool->high_units) {
        reach(pool, end);
    }
    if (want->slot != 0) {
        tn_pool_slot_at(pool, want->slot)->taken++;
    }
    if ((want->mark & TN_MARK_SLAB) == 0) {
        tn_granule_put(&pool->map, tn_pool_addr(pool, start), node);
    }
}

uint32_t tn_pool_piece_take(tarn_pool *pool, const tn_pool_want *want) {
    if (__builtin_expect(tn_fit_room(&pool->fit) < TN_POOL_NODE_RESERVE, 0)) {
        return 0;
    }
    uint32_t node = search(pool, want);
    if (node == 0 && pool->tail != 0) {
        node = take_tail(pool, want);
    }
    if (node != 0) {
        note(pool, want, node);
    }
    return node;
}

uint32_t tn_pool_piece_take_from(tarn_pool *pool, const tn_pool_want *want, uint32_t node) {
    uint64_t align = want->align >> pool->unit_shift;
    uint64_t skip = (0 - tn_fit_start(&pool->fit, node)) & (align - 1);
    uint32_t taken = tn_fit_carve(&pool->fit, node, skip, want->units);
    if (taken != 0) {
        note(pool, want, taken);
    }
    return taken;
}

void tn_pool_piece_free(tarn_pool *pool, uint32_t node) {
    tn_fit *fit = &pool->fit;
    unsigned slot = tn_fit_list(fit, node);
    unsigned list = TN_LIST_FREE;
    uint64_t end = tn_fit_start(fit, node) + tn_fit_units(fit, node);
    pool->taken_units -= tn_fit_units(fit, node);
    if (slot != 0) {
        tn_pool_slot *r = tn_pool_slot_at(pool, slot);
        r->taken--;
        list = 2 * slot + r->young;
    }
    node = tn_fit_free(fit, node, list);
    if (pool->tail_bytes != 0 && end > pool->tail_start) {
        give_tail(pool, node);
    }
}

void tn_pool_piece_reset(tarn_pool *pool) {
    tn_fit *fit = &pool->fit;
    tn_spin_lock(&pool->fit_lock);
    for (uint32_t k = 1; k < fit->used; k++) {
        if (tn_fit_state(fit, k) == TN_FIT_TAKEN && tn_fit_units(fit, k) != 0) {
            tn_granule_put(&pool->map, tn_pool_addr(pool, tn_fit_start(fit, k)), 0);
            (void)tn_fit_free(fit, k, TN_LIST_FREE);
        }
    }
    if (pool->tail_bytes != 0 && pool->tail == 0) {
        give_tail(pool, tn_fit_after(&pool->fit,
                                     pool->spans[0].head)); // nothing is taken, so all is one piece
    }
    for (unsigned r = 0; r < TN_POOL_SLOTS && tn_pool_slot_at(pool, r) != NULL; r++) {
        tn_pool_slot_at(pool, r)->taken = 0;
    }
    pool->taken_units = 0;
    tn_spin_unlock(&pool->fit_lock);
}

// ---- large blocks

tarn_status tn_pool_large_alloc(tarn_pool *pool, const tn_pool_want *want, tarn_addr *addr) {
    tn_spin_lock(&pool->fit_lock);
    uint32_t node = tn_pool_piece_take(pool, want);
    uint64_t start = tn_fit_start(&pool->fit, node);
    tn_spin_unlock(&pool->fit_lock);
    if (node == 0) {
        tarn_status status = tn_pool_grow(pool, want, &node);
        if (status != TARN_OK) {
            return status;
        }
        start = tn_fit_start(&pool->fit, node); // a taken node's place is its owner's
    }
    *addr = tn_pool_addr(pool, start);
    tn_pool_count_alloc(pool, tn_pool_cache_of(pool), want->mark, want->bytes, want->occupied);
    return TARN_OK;
}

// Whether a record of the granule map is that of a large block that starts at `addr`.
static inline bool starts_at(const tarn_pool *pool, uint32_t node, tarn_addr addr) {
    const tn_fit *fit = &pool->fit;
    bool found = node != 0 && (node & TN_SLAB_BIT) == 0 &&
                 tn_pool_addr(pool, tn_fit_start(fit, node)) == addr;
    TARN_ASSERT(!found || tn_fit_state(fit, node) == TN_FIT_TAKEN);
    return found;
}

uint32_t tn_pool_large_at(tarn_pool *pool, tarn_addr addr) {
    uint32_t node = tn_granule_get(&pool->map, addr);
    return starts_at(pool, node, addr) ? node : 0;
}

static tarn_status no_block(tarn_addr addr) {
    return tn_fail(TARN_BAD_ADDRESS, "0x%llx is not the start of a live block of this pool",
                   (unsigned long long)addr);
}

static inline __attribute__((always_inline)) tarn_status
large_free(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry, bool told) {
    if (entry == NULL) {
        return no_block(addr);
    }
    __builtin_prefetch(&pool->fit.nodes[tn_load_relaxed(entry)]);
    tn_spin_lock(&pool->fit_lock);
    uint32_t node = tn_load_relaxed(entry); // what it was before may have been freed meanwhile
    if (__builtin_expect(!starts_at(pool, node, addr), 0)) {
        tn_spin_unlock(&pool->fit_lock);
        return no_block(addr);
    }
    uint32_t mark = tn_fit_mark(&pool->fit, node);
    uint64_t bytes = tn_fit_word(&pool->fit, node);
    bool shared = (mark & TN_MARK_SHARED) != 0;
    unsigned slot = told ? tn_fit_list(&pool->fit, node) : 0;
    tn_store_relaxed(entry, 0);
    if (__builtin_expect(shared || told, 0)) {
        tn_fit_set_mark(&pool->fit, node, mark | TN_MARK_PENDING);
    } else {
        tn_pool_piece_free(pool, node);
    }
    tn_spin_unlock(&pool->fit_lock);
    uint64_t occupied = tn_rule_occupied(&pool->rule, bytes);
    if (told) {
        tn_pool_emit_free(pool, addr, occupied, slot);
    }
    if (told && !shared) {
        tn_spin_lock(&pool->fit_lock);
        tn_pool_piece_free(pool, node);
        tn_spin_unlock(&pool->fit_lock);
    }
    tn_pool_count_free(pool, tn_pool_cache_of(pool), mark & TN_MARK_TAG, bytes, occupied);
    if (__builtin_expect(shared, 0)) {
        tn_pool_defer(pool, addr, node, 0, occupied);
    }
    return TARN_OK;
}

tarn_status tn_pool_large_free(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry) {
    return large_free(pool, addr, entry, false);
}

tarn_status tn_pool_large_free_told(tarn_pool *pool, tarn_addr addr, tn_granule_entry *entry) {
    return large_free(pool, addr, entry, true);
}
