// SPDX-License-Identifier: Apache-2.0
// What a pool tells those who listen: each piece of memory that it divides is a heap, each block a
// region. A block's end is told before its bytes can be given to anybody else, a heap's beginning
// before the first block in it.
#include "core/pool/notify.h"

#include <stdlib.h>

#include "core/address/notify.h"
#include "core/pool/rule.h"

#define DOMAIN "tarn"

// ---- where the memory is

// What the notes of a pool's blocks have in common: found at its first heap.
static void place(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    const tarn_device *device = pool->desc.device;
    struct tn_mem_event note =
        TN_MEM_INIT(.device = device != NULL ? device->ordinal : -1, .addr = addr, .bytes = bytes);
    tn_emit_find_place(&note, true);
    pool->told.device = note.device;
    pool->told.flags = note.flags;
    pool->told.space = note.space;
    pool->told.placed = true;
}

static void tell(const tarn_pool *pool, struct tn_mem_event *note) {
    note->flags |= pool->told.flags;
    note->device = pool->told.device;
    note->space = pool->told.space;
    note->object = pool->id;
    note->domain = DOMAIN;
    tn_emit(note);
}

// ---- heaps

void tn_pool_emit_heap(tarn_pool *pool, unsigned kind, tarn_addr addr, uint64_t bytes, bool whole) {
    if (!pool->told.placed) {
        place(pool, addr, bytes);
    }
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = (uint16_t)kind, .flags = whole ? TN_MEM_WHOLE : 0, .addr = addr,
                    .bytes = bytes);
    tell(pool, &note);
}

void tn_pool_emit_pages(unsigned kind, const tarn_device *device, tarn_addr addr, uint64_t bytes) {
    struct tn_mem_event note = TN_MEM_INIT(.kind = (uint16_t)kind, .device = device->ordinal,
                                           .addr = addr, .bytes = bytes, .domain = DOMAIN);
    tn_emit_place(device->platform, &note);
    tn_emit(&note);
}

void tn_pool_emit_birth(tarn_pool *pool) {
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_POOL, .name = "tarn_pool_create");
    if (pool->source == NULL) {
        tn_pool_emit_heap(pool, TN_MEM_HEAP_BEGIN, pool->desc.base, pool->desc.bytes, true);
    } else if (pool->source->ops->map != NULL) {
        tn_pool_emit_heap(pool, TN_MEM_HEAP_BEGIN, pool->source->base, pool->source->bytes, false);
        pool->source->told = true;
    }
    tell(pool, &note);
}

// Segments are told as they go; the pages' reservation by its source.
void tn_pool_emit_death(tarn_pool *pool) {
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_POOL, .name = "tarn_pool_destroy");
    if (pool->source == NULL) {
        tn_pool_emit_heap(pool, TN_MEM_HEAP_END, pool->desc.base, pool->desc.bytes, true);
    }
    tell(pool, &note);
}

// ---- blocks

void tn_pool_emit_alloc(tarn_pool *pool, tarn_addr addr, uint64_t bytes, tarn_stream stream) {
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = TN_MEM_REGION_BEGIN, .addr = addr, .bytes = bytes,
                    .other = tn_rule_occupied(&pool->rule, bytes), .stream = stream);
    tell(pool, &note);
}

void tn_pool_emit_free(tarn_pool *pool, tarn_addr addr, uint64_t occupied, unsigned slot) {
    struct tn_mem_event note =
        TN_MEM_INIT(.kind = TN_MEM_REGION_END, .addr = addr, .bytes = occupied, .other = occupied,
                    .stream = tn_load_relaxed(&tn_pool_slot_at(pool, slot)->stream));
    tell(pool, &note);
}

void tn_pool_emit_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream) {
    struct tn_mem_event note = TN_MEM_INIT(.kind = TN_MEM_USED_ON, .addr = addr, .stream = stream);
    tell(pool, &note);
}

void tn_pool_emit_passed(tarn_pool *pool, tarn_stream stream) {
    struct tn_mem_event note = TN_MEM_INIT(.kind = TN_MEM_STREAM_SYNC, .stream = stream);
    tell(pool, &note);
}

// ---- reset

struct living {
    tarn_block *list; // NULL: counted only
    size_t count;
    size_t room;
};

static bool collect(const tarn_block *block, void *arg) {
    struct living *living = arg;
    if (block->state != TARN_BLOCK_LIVE) {
        return true;
    }
    if (living->list != NULL && living->count < living->room) {
        living->list[living->count] = *block;
    }
    living->count++;
    return true;
}

static void tell_all_passed(tarn_pool *pool) {
    for (unsigned r = 1; r < TN_POOL_SLOTS && tn_pool_slot_at(pool, r) != NULL; r++) {
        tn_pool_emit_passed(pool, tn_load_relaxed(&tn_pool_slot_at(pool, r)->stream));
    }
}

// What was freed before is nobody's turn any more. Two walks, as nothing is allocated or told under
// the pool's locks.
void tn_pool_emit_reset(tarn_pool *pool) {
    tell_all_passed(pool);
    struct living living = {NULL, 0, 0};
    (void)tarn_pool_walk(pool, collect, &living);
    living.room = living.count;
    living.list = calloc(living.count, sizeof *living.list);
    living.count = 0;
    if (living.list == NULL) {
        return;
    }
    (void)tarn_pool_walk(pool, collect, &living);
    for (size_t i = 0; i < living.count && i < living.room; i++) {
        struct tn_mem_event note =
            TN_MEM_INIT(.kind = TN_MEM_REGION_END, .addr = living.list[i].addr,
                        .bytes = living.list[i].occupied, .other = living.list[i].occupied);
        tell(pool, &note);
    }
    free(living.list);
}
