// SPDX-License-Identifier: Apache-2.0
// Growth of a pool by segments of plain memory, under the growth lock. A block lies in one segment,
// and segments do not move, so a large block gets a segment of its own.
#include "base/error.h"
#include "core/address/notify.h"
#include "core/pool/grow/grow.h"
#include "core/pool/notify.h"

enum {
    SLACK = 180,       // what the pool may hold beyond the need of its blocks, in 1/1000
    LARGE_PART = 4,    // blocks from this part of an ordinary segment on are large
    MEMORY_ALIGN = 256 // alignment of all plain device memory
};

static uint64_t round_to(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

// Checks that `bytes` more are within the limit, and that the device may have them, if `dropped` bytes
// are released before.
static tarn_status check_room(const tarn_pool *pool, uint64_t bytes, uint64_t dropped) {
    tn_pool_source *source = pool->growth.source;
    uint64_t limit = pool->desc.limit;
    if (limit != 0 && (bytes > limit || tn_pool_held_bytes(pool) - dropped > limit - bytes))
        return tn_pool_over_limit(pool);
    uint64_t room = bytes > dropped ? source->ops->room(source, false) : 0;
    TN_REFUSE(bytes > dropped && bytes - dropped > room, TARN_NO_DEVICE_MEMORY,
              "%llu bytes are needed; the device has %llu", (unsigned long long)(bytes - dropped),
              (unsigned long long)room);
    return TARN_OK;
}

static tarn_status add_segment(tarn_pool *pool, uint64_t bytes, tarn_addr *added) {
    TARN_ASSERT(tn_pool_grow_is_held(pool) && bytes != 0);
    tn_pool_source *source = pool->growth.source;
    tarn_addr addr;
    TN_TRY(check_room(pool, bytes, 0));
    TN_TRY(source->ops->grow(source, bytes, &addr));
    if (tn_subscribed()) tn_pool_emit_heap(pool, TN_MEM_HEAP_BEGIN, addr, bytes, true);
    tarn_status status = tn_pool_add_span(pool, tn_piece_list(pool, 0, 0), addr, bytes);
    if (status != TARN_OK) tn_pool_release_segment(pool, addr, bytes, 0);
    *added = addr;
    return status;
}

void tn_pool_release_segment(tarn_pool *pool, tarn_addr addr, uint64_t bytes, uint32_t flags) {
    if (tn_subscribed()) tn_pool_emit_heap(pool, TN_MEM_HEAP_END, addr, bytes, true);
    pool->growth.source->ops->shrink(pool->growth.source, addr, bytes, flags);
}

bool tn_pool_drop_segments(tarn_pool *pool, uint64_t keep, uint32_t flags) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    bool any = false;
    if (tn_pool_in_hostfn(pool)) return false;
    uint64_t held;
    while ((held = tn_pool_held_bytes(pool)) > keep) {
        tn_pool_span span = tn_pool_find_free_span(pool, held - keep);
        if (span.bytes == 0) break;
        if (tn_pool_remove_span(pool, span.addr)) {
            tn_pool_release_segment(pool, span.addr, span.bytes, flags);
            any = true;
        }
    }
    return any;
}

static bool is_large(const tarn_pool *pool, uint64_t bytes) {
    uint64_t page = pool->growth.source->page_bytes;
    return bytes > round_to(pool->desc.segment_bytes, page) / LARGE_PART;
}

bool tn_pool_segment_divides(const tarn_pool *pool, const tn_pool_want *want) {
    return !is_large(pool, want->units << pool->unit_shift);
}

// A large block gets a segment of its own, without a remainder.
tarn_status tn_pool_grow_by_segment(tarn_pool *pool, const tn_pool_want *want, uint32_t *node) {
    TARN_ASSERT(tn_pool_grow_is_held(pool));
    uint64_t page = pool->growth.source->page_bytes;
    uint64_t unit = UINT64_C(1) << pool->unit_shift;
    uint64_t align = want->align > MEMORY_ALIGN ? want->align + unit : 0;
    uint64_t least = round_to((want->units << pool->unit_shift) + align, page);
    uint64_t usual = round_to(pool->desc.segment_bytes, page);
    uint64_t size = is_large(pool, least) ? least : usual;
    TN_TRY(check_room(pool, least, tn_pool_in_hostfn(pool) ? 0 : tn_pool_free_span_bytes(pool)));
    // Free segments go if the pool would otherwise hold too much: they cannot be moved as pages
    // can.
    uint64_t needed = tn_pool_need(pool, want);
    uint64_t fair = needed + needed / 1000 * SLACK;
    (void)tn_pool_drop_segments(pool, fair > size ? fair - size : 0, 0);
    tarn_addr addr;
    tarn_status status = add_segment(pool, size, &addr);
    if (status == TARN_NO_DEVICE_MEMORY && least < usual) status = add_segment(pool, least, &addr);
    if (status == TARN_NO_DEVICE_MEMORY && tn_pool_drop_segments(pool, 0, 0))
        status = add_segment(pool, least, &addr);
    // Another thread may have taken the new memory.
    if (status != TARN_OK) return status;
    if (want->mark == TN_MARK_CHUNK)
        *node = tn_pool_span_take(pool, want, addr);
    else
        (void)tn_pool_take(pool, want, node);
    return *node != 0 ? TARN_OK : TARN_NO_DEVICE_MEMORY;
}
