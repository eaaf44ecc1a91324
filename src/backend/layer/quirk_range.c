// SPDX-License-Identifier: Apache-2.0
// Quirks that keep ranges of addresses: memory that faults for a while, memory that is not there,
// memory that was not touched yet. The lock of the quirk guards the ranges. A range is kept only if
// host memory suffices: without it the device behaves as it should.
#include "backend/layer/quirk.h"
#include "base/error.h"

struct bounds {
    uint64_t start, end;
};

// ---- ranges

// Removes [start, end) from the ranges. Returns the number of bytes that were in them.
static uint64_t erase_range(struct tn_quirk *quirk, uint64_t start, uint64_t end) {
    struct tn_interval_entry entry;
    uint64_t erased = 0;
    while (tn_interval_next(&quirk->ranges, start, &entry) && entry.start < end) {
        (void)tn_interval_remove(&quirk->ranges, entry.start, NULL);
        if (entry.start < start) (void)tn_interval_insert(&quirk->ranges, entry.start, start, 0);
        if (entry.end > end) (void)tn_interval_insert(&quirk->ranges, end, entry.end, 0);
        erased += (entry.end < end ? entry.end : end) - (entry.start > start ? entry.start : start);
    }
    return erased;
}

static void keep_range(struct tn_quirk *quirk, uint64_t start, uint64_t end) {
    TN_LOCKED(&quirk->lock);
    (void)erase_range(quirk, start, end);
    (void)tn_interval_insert(&quirk->ranges, start, end, 0);
}

static uint64_t forget_range(struct tn_quirk *quirk, uint64_t start, uint64_t end) {
    TN_LOCKED(&quirk->lock);
    return erase_range(quirk, start, end);
}

static bool is_kept(struct tn_quirk *quirk, struct bounds range) {
    TN_LOCKED(&quirk->lock);
    return tn_interval_overlaps(&quirk->ranges, range.start, range.end);
}

// From the first to the last byte of a box.
static struct bounds box_at(tarn_addr addr, uint64_t width, uint64_t rows, uint64_t slices) {
    return (struct bounds){addr, addr + width + rows + slices};
}

static struct bounds source_of(const tarn_backend_copy *desc) {
    return box_at(desc->src, desc->width, (desc->height - 1) * desc->src_pitch,
                  (desc->depth - 1) * desc->src_slice_pitch);
}

static struct bounds destination_of(const tarn_backend_copy *desc) {
    return box_at(desc->dst, desc->width, (desc->height - 1) * desc->dst_pitch,
                  (desc->depth - 1) * desc->dst_slice_pitch);
}

static struct bounds filled_by(const tarn_backend_fill *desc) {
    return box_at(desc->dst, desc->width, (desc->height - 1) * desc->pitch,
                  (desc->depth - 1) * desc->slice_pitch);
}

// ---- copies and fills that fault in a range

static tarn_status check_box(struct tn_quirk *quirk, struct bounds box) {
    return is_kept(quirk, box) ? tn_quirk_fail(quirk, TARN_DEVICE_FAILED, "the access faults",
                                               box.start, box.end - box.start)
                               : TARN_OK;
}

static tarn_status copy_or_fault(void *p, void *stream, const tarn_backend_copy *desc) {
    TN_TRY(check_box(p, source_of(desc)));
    TN_TRY(check_box(p, destination_of(desc)));
    return TN_LAYER_NEXT(p, copy, stream, desc);
}

static tarn_status fill_or_fault(void *p, void *stream, const tarn_backend_fill *desc) {
    TN_TRY(check_box(p, filled_by(desc)));
    return TN_LAYER_NEXT(p, fill, stream, desc);
}

static tarn_status unmap_range(void *p, tarn_addr addr, uint64_t size) {
    TN_TRY(TN_LAYER_NEXT(p, unmap, addr, size));
    (void)forget_range(p, addr, addr + size);
    return TARN_OK;
}

static void install_faults(struct tn_quirk *quirk) {
    quirk->layer.table.copy = copy_or_fault;
    quirk->layer.table.fill = fill_or_fault;
    quirk->layer.table.unmap = unmap_range;
}

// ---- late-map: the ranges are those mapped since the last wait

static tarn_status access_late(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                               size_t count) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    TN_TRY(TN_LAYER_NEXT(p, set_access, addr, size, grants, count));
    if (tn_fail_next(&quirk->spec, addr, size)) keep_range(quirk, addr, addr + size);
    return TARN_OK;
}

static tarn_status end_wait(struct tn_quirk *quirk, tarn_status status) {
    if (status == TARN_OK) (void)forget_range(quirk, 0, UINT64_MAX);
    return status;
}

#define WAIT(slot, parameters, arguments)                                                          \
    static tarn_status late_##slot parameters {                                                    \
        struct tn_quirk *quirk = (struct tn_quirk *)p;                                             \
        return end_wait(quirk, TN_LAYER_PASS(&quirk->layer, slot, arguments));                     \
    }
#define WAITS(X)                                                                                   \
    X(stream_synchronize, (void *p, void *stream, uint64_t until), (p, stream, until))             \
    X(event_synchronize, (void *p, void *event, uint64_t until), (p, event, until))                \
    X(device_synchronize, (void *p, int device, uint64_t until), (p, device, until))
WAITS(WAIT)

void tn_quirk_late_map(struct tn_quirk *quirk) {
    install_faults(quirk);
    quirk->layer.table.set_access = access_late;
#define USE(slot, ...) quirk->layer.table.slot = late_##slot;
    WAITS(USE)
}

// ---- dead-tail: the ranges are the last granules

static tarn_status access_head(void *p, tarn_addr addr, uint64_t size, const tarn_grant *grants,
                               size_t count) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    tarn_backend_caps caps = {.struct_size = sizeof caps};
    TN_TRY(TN_LAYER_NEXT(p, caps, 0, &caps));
    TN_TRY(TN_LAYER_NEXT(p, set_access, addr, size, grants, count));
    (void)forget_range(quirk, addr, addr + size);
    if (tn_fail_next(&quirk->spec, addr, size))
        keep_range(quirk, addr + size - caps.granularity_minimum, addr + size);
    return TARN_OK;
}

void tn_quirk_dead_tail(struct tn_quirk *quirk) {
    install_faults(quirk);
    quirk->layer.table.set_access = access_head;
}

// ---- empty-map: the ranges are the mappings that the back-end does not have

static tarn_status map_nothing(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                               size_t count) {
    struct tn_quirk *quirk = (struct tn_quirk *)p;
    uint64_t bytes = tn_layer_item_bytes(items, count);
    if (!tn_fail_next(&quirk->spec, addr, bytes)) return TN_LAYER_NEXT(p, map, addr, items, count);
    TN_LOCKED(&quirk->lock);
    tarn_status status = tn_interval_insert(&quirk->ranges, addr, addr + bytes, 0);
    return status == TARN_OK
               ? TARN_OK
               : tn_quirk_fail(quirk, status, "no record for the mapping", addr, bytes);
}

static tarn_status access_something(void *p, tarn_addr addr, uint64_t size,
                                    const tarn_grant *grants, size_t count) {
    if (is_kept(p, (struct bounds){addr, addr + size}))
        return tn_quirk_fail(p, TARN_NOT_MAPPED, "a part is not mapped", addr, size);
    return TN_LAYER_NEXT(p, set_access, addr, size, grants, count);
}

// Finds the first empty range that begins in [start, end). Each lies in complete mappings.
static struct bounds next_empty(struct tn_quirk *quirk, uint64_t start, uint64_t end) {
    struct tn_interval_entry entry;
    TN_LOCKED(&quirk->lock);
    bool found = tn_interval_next(&quirk->ranges, start, &entry) && entry.start < end;
    return found ? (struct bounds){entry.start < start ? start : entry.start,
                                   entry.end > end ? end : entry.end}
                 : (struct bounds){end, end};
}

// Unmaps the parts of the range that the back-end has.
static tarn_status unmap_something(void *p, tarn_addr addr, uint64_t size) {
    for (uint64_t at = addr; at < addr + size;) {
        struct bounds empty = next_empty(p, at, addr + size);
        if (empty.start > at) TN_TRY(TN_LAYER_NEXT(p, unmap, at, empty.start - at));
        at = empty.end;
    }
    (void)forget_range(p, addr, addr + size);
    return TARN_OK;
}

void tn_quirk_empty_map(struct tn_quirk *quirk) {
    quirk->layer.table.map = map_nothing;
    quirk->layer.table.set_access = access_something;
    quirk->layer.table.unmap = unmap_something;
}

// ---- slow-touch: the ranges are those that nothing has touched yet

static tarn_status map_untouched(void *p, tarn_addr addr, const tarn_backend_map_item *items,
                                 size_t count) {
    TN_TRY(TN_LAYER_NEXT(p, map, addr, items, count));
    keep_range(p, addr, addr + tn_layer_item_bytes(items, count));
    return TARN_OK;
}

static tarn_status alloc_untouched(void *p, int device, uint64_t size, tarn_addr *addr) {
    TN_TRY(TN_LAYER_NEXT(p, memory_alloc, device, size, addr));
    keep_range(p, *addr, *addr + size);
    return TARN_OK;
}

static tarn_status alloc_untouched_with(void *p, int device, const tarn_backend_memory *desc,
                                        tarn_addr *addr, tarn_page_class *page_class) {
    TN_TRY(TN_LAYER_NEXT(p, memory_alloc_with, device, desc, addr, page_class));
    keep_range(p, *addr, *addr + desc->bytes);
    return TARN_OK;
}

static void touch_box(struct tn_quirk *quirk, struct bounds box) {
    uint64_t bytes = forget_range(quirk, box.start, box.end);
    if (bytes > 0)
        tn_layer_spend(&quirk->layer,
                       (uint64_t)((double)bytes / (1 << 20) * (double)quirk->spec.value));
}

static tarn_status copy_slowly(void *p, void *stream, const tarn_backend_copy *desc) {
    touch_box(p, source_of(desc));
    touch_box(p, destination_of(desc));
    return TN_LAYER_NEXT(p, copy, stream, desc);
}

static tarn_status fill_slowly(void *p, void *stream, const tarn_backend_fill *desc) {
    touch_box(p, filled_by(desc));
    return TN_LAYER_NEXT(p, fill, stream, desc);
}

void tn_quirk_slow_touch(struct tn_quirk *quirk) {
    quirk->layer.table.map = map_untouched;
    quirk->layer.table.unmap = unmap_range;
    quirk->layer.table.memory_alloc = alloc_untouched;
    quirk->layer.table.memory_alloc_with = alloc_untouched_with;
    quirk->layer.table.copy = copy_slowly;
    quirk->layer.table.fill = fill_slowly;
}
