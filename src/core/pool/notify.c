// SPDX-License-Identifier: Apache-2.0
// Events of a pool: each piece of memory that it divides is a heap, each block a region. The end of
// a block is emitted before its bytes can be allocated again, the beginning of a heap before its
// first block. Any thread.
#include "core/pool/notify.h"

#include <stdlib.h>

#include "algo/rule.h"
#include "core/address/notify.h"

#define DOMAIN "tarn"

// ---- where the memory is

// Fills in, at the pool's first heap, the fields that the events of all its blocks share.
static void set_place(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    const tarn_device *device = pool->desc.device;
    struct tn_mem_event event =
        TN_MEM_INIT(.device = device != NULL ? device->ordinal : -1, .addr = addr, .bytes = bytes);
    tn_emit_find_place(&event, true);
    pool->reports.place.device = event.device;
    pool->reports.place.flags = event.flags;
    pool->reports.place.space = event.space;
    pool->reports.place.known = true;
}

static void emit_of(const tarn_pool *pool, struct tn_mem_event *event) {
    event->flags |= pool->reports.place.flags;
    event->device = pool->reports.place.device;
    event->space = pool->reports.place.space;
    event->object = pool->id;
    event->domain = DOMAIN;
    tn_emit(event);
}

// ---- heaps

void tn_pool_emit_heap(tarn_pool *pool, unsigned kind, tarn_addr addr, uint64_t bytes, bool whole) {
    uint32_t given = pool->desc.kind == TARN_POOL_FIXED ? TN_MEM_GIVEN : 0;
    if (!pool->reports.place.known) set_place(pool, addr, bytes);
    emit_of(pool, &(struct tn_mem_event)TN_MEM_INIT(.kind = (uint16_t)kind,
                                                    .flags = (whole ? TN_MEM_WHOLE : 0) | given,
                                                    .addr = addr, .bytes = bytes));
}

void tn_pool_emit_pages(unsigned kind, const tarn_device *device, tarn_addr addr, uint64_t bytes) {
    struct tn_mem_event event = TN_MEM_INIT(.kind = (uint16_t)kind, .device = device->ordinal,
                                            .addr = addr, .bytes = bytes, .domain = DOMAIN);
    tn_emit_place(device->platform, &event);
    tn_emit(&event);
}

// The heap of a reservation is emitted by growth, that of a segment when the segment is added.
void tn_pool_emit_birth(tarn_pool *pool) {
    if (pool->desc.kind == TARN_POOL_FIXED)
        tn_pool_emit_heap(pool, TN_MEM_HEAP_BEGIN, pool->desc.base, pool->desc.bytes, true);
    emit_of(pool,
            &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_RESOURCE_BEGIN, .what = TN_MEM_POOL,
                                              .name = "tarn_pool_create"));
}

void tn_pool_emit_rights(const tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    emit_of(pool,
            &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_RIGHTS, .addr = addr, .bytes = bytes));
}

// The end of a segment is emitted when the segment is released, that of a reservation by its
// source.
void tn_pool_emit_death(tarn_pool *pool) {
    if (pool->desc.kind == TARN_POOL_FIXED)
        tn_pool_emit_heap(pool, TN_MEM_HEAP_END, pool->desc.base, pool->desc.bytes, true);
    emit_of(pool,
            &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_RESOURCE_END, .what = TN_MEM_POOL,
                                              .name = "tarn_pool_destroy"));
}

// ---- blocks

// With every member named, GCC stores each one, instead of clearing all by a slow instruction.
#define BLOCK_EVENT(...)                                                                           \
    TN_MEM_INIT(.what = 0, .flags = 0, .device = 0, .space = 0, .object = 0, .name = NULL,         \
                .domain = NULL, .pitch = 0, .slice_pitch = 0, __VA_ARGS__)

void tn_pool_emit_alloc(tarn_pool *pool, tarn_addr addr, uint64_t bytes, tarn_stream stream) {
    emit_of(pool, &(struct tn_mem_event)BLOCK_EVENT(.kind = TN_MEM_REGION_BEGIN, .addr = addr,
                                                    .bytes = bytes,
                                                    .other = tn_rule_occupied(&pool->rule, bytes),
                                                    .stream = stream));
}

static tarn_pool_report last_report(tarn_pool *pool) {
    TN_GROW_LOCKED(pool);
    return pool->reports.last;
}

// A fixed pool cannot grow, so that all its memory is its limit.
void tn_pool_emit_shortage(tarn_pool *pool, const tarn_pool_request *request, tarn_status status) {
    tarn_pool_report last = last_report(pool);
    bool is_of_request = last.status == status && last.requested == request->bytes;
    bool is_fixed = pool->kind == TARN_POOL_FIXED && pool->fence == NULL;
    if (!is_of_request) last = (tarn_pool_report){0};
    if (is_fixed && last.cause == TARN_POOL_CAUSE_FULL) last.cause = TARN_POOL_CAUSE_LIMIT;
    struct tn_mem_event event =
        TN_MEM_INIT(.what = (uint16_t)last.cause, .bytes = request->bytes,
                    .other = is_fixed ? last.held_bytes : last.limit, .stream = request->stream,
                    .object = pool->id, .name = "tarn_pool_alloc", .domain = DOMAIN,
                    .pitch = last.held_bytes, .slice_pitch = last.largest_free);
    event.depth = last.free_bytes;
    event.height = last.waiting_bytes;
    tn_emit_shortage_of(status, pool->desc.device, &event);
}

void tn_pool_emit_extend(tarn_pool *pool, tarn_addr addr, uint64_t bytes, unsigned slot) {
    tarn_stream stream = tn_pool_slot_stream(pool, slot);
    emit_of(pool, &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_REGION_RESIZE, .addr = addr,
                                                    .bytes = bytes,
                                                    .other = tn_rule_occupied(&pool->rule, bytes),
                                                    .stream = stream));
}

void tn_pool_emit_awake(tarn_pool *pool, tarn_addr addr, uint64_t bytes, bool kept) {
    uint16_t kind = kept ? TN_MEM_INITIALISED : TN_MEM_DISCARDED;
    emit_of(pool, &(struct tn_mem_event)TN_MEM_INIT(.kind = kind, .addr = addr, .bytes = bytes));
}

static void emit_end(const tarn_pool *pool, tarn_addr addr, uint64_t occupied, tarn_stream stream) {
    emit_of(pool, &(struct tn_mem_event)BLOCK_EVENT(.kind = TN_MEM_REGION_END, .addr = addr,
                                                    .bytes = occupied, .other = occupied,
                                                    .stream = stream));
}

void tn_pool_emit_free(tarn_pool *pool, tarn_addr addr, uint64_t occupied, unsigned slot) {
    emit_end(pool, addr, occupied, tn_pool_slot_stream(pool, slot));
}

void tn_pool_emit_used_on(tarn_pool *pool, tarn_addr addr, tarn_stream stream) {
    emit_of(pool, &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_USED_ON, .addr = addr,
                                                    .stream = stream));
}

void tn_pool_emit_passed(tarn_pool *pool, tarn_stream stream) {
    emit_of(pool, &(struct tn_mem_event)TN_MEM_INIT(.kind = TN_MEM_STREAM_SYNC, .stream = stream));
}

// ---- reset

struct live_blocks {
    tarn_block *list; // NULL: blocks are only counted
    size_t count;
    size_t room;
};

static bool collect_live(const tarn_block *block, void *arg) {
    struct live_blocks *live = (struct live_blocks *)arg;
    if (block->state == TARN_BLOCK_LIVE) {
        if (live->list != NULL && live->count < live->room) live->list[live->count] = *block;
        live->count++;
    }
    return true;
}

// The pool is walked twice, because under its locks no memory is allocated and no event is emitted.
void tn_pool_emit_reset(tarn_pool *pool) {
    for (unsigned s = 1; s < tn_pool_slot_count(pool); s++)
        tn_pool_emit_passed(pool, tn_load_relaxed(&tn_pool_slot_at(pool, s)->stream));
    struct live_blocks live = {NULL, 0, 0};
    pool->ops->walk(pool, collect_live, &live);
    live.room = live.count;
    live.list = (tarn_block *)calloc(live.count, sizeof *live.list);
    live.count = 0;
    if (live.list == NULL) return;
    pool->ops->walk(pool, collect_live, &live);
    for (size_t i = 0; i < live.count && i < live.room; i++)
        emit_end(pool, live.list[i].addr, live.list[i].occupied, 0);
    free(live.list);
}
