// SPDX-License-Identifier: Apache-2.0
// Maps of tiles, tails and deferred arrays. Every item is checked and its references are added;
// then all items go to the backend in one call. From there on the backend owns the references,
// because only it knows when the stream reaches an item and what that item replaces.
#include <stdlib.h>

#include "core/address/phys.h"
#include "core/platform/notify.h"
#include "core/work/array.h"
#include "core/work/executor.h"
#include "fail/point.h"

// The references of an item until the backend accepts it.
struct hold {
    struct tn_array *array; // a reference
    struct tn_phys *phys;   // `tiles` references; NULL: an unmap
    uint64_t tiles;
};

// The state of one call.
struct plan {
    tarn_backend_array_item *items;
    struct hold *holds;
    size_t count;               // complete entries of both
    struct tarn_device *device; // of the stream, else of the first array; NULL until known
};

static tarn_status bad_item(size_t index, const char *what, uint64_t value, uint64_t limit) {
    return tn_fail(TARN_BAD_ARGUMENT, "item %zu: %s 0x%llx, limit 0x%llx", index, what,
                   (unsigned long long)value, (unsigned long long)limit);
}

static tarn_status fail_misaligned(size_t index, const char *what, uint64_t value, uint64_t unit) {
    return tn_fail(TARN_MISALIGNED, "item %zu: %s 0x%llx is not a multiple of 0x%llx", index, what,
                   (unsigned long long)value, (unsigned long long)unit);
}

// ---- the part of the array

static tarn_status check_axis(const struct tn_tiles *t, size_t index,
                              const tarn_backend_array_item *item, int axis) {
    static const char *const offsets[] = {"offset x", "offset y", "offset z"};
    static const char *const extents[] = {"width", "height", "depth"};
    uint64_t size = tn_tiles_size(t, item->level, axis);
    uint64_t offset = item->offset[axis];
    uint64_t extent = item->extent[axis];
    if (offset >= size) return bad_item(index, offsets[axis], offset, size);
    if (extent == 0 || extent > size - offset)
        return bad_item(index, extents[axis], extent, size - offset);
    if (offset % t->cut.tile[axis] != 0)
        return fail_misaligned(index, offsets[axis], offset, t->cut.tile[axis]);
    if (extent % t->cut.tile[axis] != 0 && offset + extent != size)
        return fail_misaligned(index, extents[axis], extent, t->cut.tile[axis]);
    return TARN_OK;
}

static tarn_status walk_tiles(const struct tn_tiles *t, size_t index,
                              const tarn_backend_array_item *item, struct tn_tiles_walk *walk) {
    struct tn_tiles_box box = {.level = item->level};
    if (item->level >= t->cut.sparse_levels)
        return bad_item(index, "level", item->level, t->cut.sparse_levels);
    if (item->layer >= t->layers) return bad_item(index, "layer", item->layer, t->layers);
    for (int axis = 0; axis < 3; axis++) {
        TN_TRY(check_axis(t, index, item, axis));
        box.at[axis] = item->offset[axis];
        box.extent[axis] = item->extent[axis];
    }
    tn_tiles_walk_box(t, item->layer, &box, walk);
    return TARN_OK;
}

static tarn_status walk_tail(const struct tn_tiles *t, size_t index,
                             const tarn_backend_array_item *item, struct tn_tiles_walk *walk) {
    uint32_t layers = t->cut.single_tail ? 1 : t->layers;
    if (item->layer >= layers) return bad_item(index, "layer", item->layer, layers);
    if (item->tail_offset >= t->cut.tail_bytes)
        return bad_item(index, "tail offset", item->tail_offset, t->cut.tail_bytes);
    if (item->tail_bytes == 0 || item->tail_bytes > t->cut.tail_bytes - item->tail_offset)
        return bad_item(index, "tail bytes", item->tail_bytes,
                        t->cut.tail_bytes - item->tail_offset);
    if (item->tail_offset % t->cut.tile_bytes != 0)
        return fail_misaligned(index, "tail offset", item->tail_offset, t->cut.tile_bytes);
    if (item->tail_bytes % t->cut.tile_bytes != 0)
        return fail_misaligned(index, "tail bytes", item->tail_bytes, t->cut.tile_bytes);
    tn_tiles_walk_tail(t, item->layer, item->tail_offset, item->tail_bytes, walk);
    return TARN_OK;
}

// Computes the references that the item needs and the bytes of memory that they cover.
static tarn_status measure_item(const struct tn_array *array, size_t index,
                                const tarn_backend_array_item *item, uint64_t *tiles,
                                uint64_t *bytes) {
    struct tn_tiles_walk walk;
    if (tn_array_is(array, TARN_ARRAY_DEFERRED)) {
        *tiles = 1;
        *bytes = array->info.memory_bytes;
        return TARN_OK;
    }
    switch (item->part) {
    case TARN_ARRAY_TILES: TN_TRY(walk_tiles(&array->tiles, index, item, &walk)); break;
    case TARN_ARRAY_TAIL: TN_TRY(walk_tail(&array->tiles, index, item, &walk)); break;
    default: return bad_item(index, "part", (uint64_t)item->part, TARN_ARRAY_TAIL);
    }
    *tiles = tn_tiles_walk_count(&walk);
    TARN_ASSERT(*tiles != 0 && walk.first + *tiles <= tn_tiles_entries(&array->tiles));
    *bytes = *tiles * array->tiles.cut.tile_bytes;
    return TARN_OK;
}

// ---- one item

// Adds the references of an item that maps; an item that unmaps needs none.
static tarn_status hold_memory(size_t index, const tarn_array_map_item *given, uint64_t bytes,
                               struct hold *hold, tarn_backend_array_item *item) {
    const struct tn_array *array = hold->array;
    uint64_t unit = tn_array_is(array, TARN_ARRAY_DEFERRED) ? array->info.memory_alignment
                                                            : array->tiles.cut.tile_bytes;
    if (given->op == TARN_ARRAY_UNMAP)
        return given->phys == 0 ? TARN_OK : bad_item(index, "phys to unmap", given->phys, 0);
    if (given->op != TARN_ARRAY_MAP)
        return bad_item(index, "op", (uint64_t)given->op, TARN_ARRAY_UNMAP);
    struct tn_phys *phys = NULL;
    TN_TRY(tn_phys_hold_tiles(given->phys, array->device, given->phys_offset, bytes, hold->tiles,
                              &phys));
    if (given->phys_offset % unit != 0) {
        tn_phys_release_tiles(phys, hold->tiles);
        return fail_misaligned(index, "phys offset", given->phys_offset, unit);
    }
    hold->phys = phys;
    item->phys = phys->backend;
    item->phys_offset = given->phys_offset;
    item->owner = phys;
    return TARN_OK;
}

static tarn_status fill_item(const struct plan *plan, size_t index,
                             const tarn_array_map_item *given, struct hold *hold,
                             tarn_backend_array_item *item) {
    uint64_t bytes = 0;
    *item = (tarn_backend_array_item){
        .array = hold->array->backend,
        .part = given->part,
        .layer = given->layer,
        .level = given->level,
        .offset = {given->offset[0], given->offset[1], given->offset[2]},
        .extent = {given->extent.width, given->extent.height, given->extent.depth},
        .tail_offset = given->tail_offset,
        .tail_bytes = given->tail_bytes,
    };
    TN_REFUSE(plan->device != NULL && hold->array->device != plan->device, TARN_BAD_DEVICE,
              "item %zu: an array of device %d where device %d is expected", index,
              hold->array->device->ordinal, plan->device->ordinal);
    TN_REFUSE(!tn_array_is(hold->array, TARN_ARRAY_SPARSE) &&
                  !tn_array_is(hold->array, TARN_ARRAY_DEFERRED),
              TARN_BAD_ARGUMENT, "item %zu: the array has memory of its own", index);
    TN_TRY(measure_item(hold->array, index, item, &hold->tiles, &bytes));
    return hold_memory(index, given, bytes, hold, item);
}

static tarn_status add_item(struct plan *plan, const tarn_array_map_item *given) {
    size_t index = plan->count;
    struct hold *hold = &plan->holds[index];
    *hold = (struct hold){0};
    TN_TRY(tn_array_get(given->array, &hold->array));
    tarn_status status = fill_item(plan, index, given, hold, &plan->items[index]);
    if (status != TARN_OK) {
        tn_array_put(hold->array);
        return status;
    }
    TARN_ASSERT((given->op == TARN_ARRAY_MAP) == (hold->phys != NULL));
    plan->device = hold->array->device;
    plan->count++;
    return TARN_OK;
}

// ---- events

// Returns the numbers of the elements whose memory the item changes. The pages of a tail have their
// elements in the order of a linear array. Pages of a tail that all layers share have elements in each
// layer; those of the first stand for them.
static struct tn_box changed_numbers(const struct tn_array *array,
                                     const tarn_backend_array_item *item) {
    const struct tn_tiles *tiles = &array->tiles;
    tarn_array_place place = {.level = item->level, .z = item->layer};
    if (tn_array_is(array, TARN_ARRAY_DEFERRED)) {
        uint64_t bytes = tn_tiles_bytes(tiles);
        return (struct tn_box){array->number, bytes, 1, bytes, 1, bytes};
    }
    if (item->part == TARN_ARRAY_TAIL) {
        place.level = tiles->cut.sparse_levels;
        struct tn_box box = tn_array_numbers(array, &place, 1, 1, 1);
        uint64_t bytes = tiles->layer_tail_bytes;
        uint64_t from = item->tail_offset < bytes ? item->tail_offset : bytes;
        box.addr += from;
        box.width = item->tail_bytes < bytes - from ? item->tail_bytes : bytes - from;
        return box;
    }
    place.x = item->offset[0];
    place.y = item->offset[1];
    place.z = tiles->volume ? item->offset[2] : item->layer;
    return tn_array_numbers(array, &place, item->extent[0], item->extent[1],
                            tiles->volume ? item->extent[2] : 1);
}

// A change of the memory beneath elements is a write to them.
static void emit_changes(const struct plan *plan, const struct tn_executor *executor) {
    for (size_t i = 0; i < plan->count; i++) {
        const struct tn_box box = changed_numbers(plan->holds[i].array, &plan->items[i]);
        if (box.width != 0) tn_emit_access(executor, &box, TN_MEM_WRITE, "tarn_array_map");
    }
}

// ---- all items

static tarn_status open_plan(struct plan *plan, size_t count) {
    TN_REFUSE(count > SIZE_MAX / 2 / sizeof *plan->items, TARN_NO_HOST_MEMORY,
              "no memory for %zu items", count);
    plan->items = malloc(count * sizeof *plan->items);
    plan->holds = malloc(count * sizeof *plan->holds);
    return plan->items != NULL && plan->holds != NULL
               ? TARN_OK
               : tn_fail(TARN_NO_HOST_MEMORY, "no memory for %zu items", count);
}

static tarn_status run_plan(struct plan *plan, const tarn_array_map_item *given, size_t count,
                            struct tn_stream_or_event *stream) {
    tarn_status status = TARN_OK;
    for (size_t i = 0; i < count && status == TARN_OK; i++) status = add_item(plan, &given[i]);
    if (status != TARN_OK) return status;
    TARN_ASSERT(plan->count == count);
    struct tn_platform *platform = plan->device->platform;
    const struct tn_executor executor = {plan->device, stream,
                                         stream != NULL ? stream->id : TARN_STREAM_NONE, false};
    if (tn_subscribed()) emit_changes(plan, &executor);
    status =
        platform->ops->array_map(platform->p, tn_executor_stream(&executor), plan->items, count);
    if (status == TARN_OK) {
        for (size_t i = 0; i < plan->count; i++) // later calls rely on these marks
            if (tn_array_is(plan->holds[i].array, TARN_ARRAY_DEFERRED))
                tn_store_relaxed(&plan->holds[i].array->mapped, plan->holds[i].phys != NULL);
        TN_COUNT(platform, map_calls, 1);
    }
    return status;
}

tarn_status tarn_array_map(const tarn_array_map_item *items, size_t count, tarn_stream stream) {
    TN_FAIL_POINT(0, 0);
    TN_STREAM_HELD struct tn_stream_or_event *object = NULL;
    if (stream != TARN_STREAM_NONE) TN_TRY(tn_stream_get(stream, &object));
    struct plan plan = {.device = object != NULL ? object->device : NULL};
    tarn_status status = items == NULL || count == 0 ? tn_fail(TARN_BAD_ARGUMENT, "%zu items at %p",
                                                               count, (const void *)items)
                                                     : open_plan(&plan, count);
    if (status == TARN_OK) status = run_plan(&plan, items, count, object);
    while (plan.count > 0) {
        const struct hold *hold = &plan.holds[--plan.count];
        if (hold->phys != NULL && status != TARN_OK) tn_phys_release_tiles(hold->phys, hold->tiles);
        tn_array_put(hold->array);
    }
    free(plan.holds);
    free(plan.items);
    return TN_DONE(status);
}
