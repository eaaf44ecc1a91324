// SPDX-License-Identifier: Apache-2.0
// Creation, destruction and queries of arrays. One lock guards the table; no call of the backend is
// made under it.
#include "core/work/array.h"

#include <stdlib.h>

#include "algo/slots.h"
#include "base/struct.h"
#include "core/address/phys.h"
#include "core/platform/fork.h"
#include "core/platform/notify.h"
#include "core/platform/slot_kinds.h"
#include "fail/point.h"

static struct tn_rwlock lock = TN_RWLOCK(ARRAY, "arrays");
static struct tn_slots table; // payload = struct tn_array *
static bool table_ready;

// ---- events

// Contents of sparse and deferred arrays are those of physical memory, which may have been written.
static void emit_array(unsigned kind, const struct tn_array *array, tarn_array id) {
    const uint32_t mapped = TARN_ARRAY_SPARSE | TARN_ARRAY_DEFERRED;
    struct tn_mem_event event =
        TN_MEM_INIT(.kind = (uint16_t)kind, .what = TN_MEM_ARRAY,
                    .flags = tn_array_is(array, mapped) ? TN_MEM_ZEROED : 0u,
                    .device = array->device->ordinal, .addr = array->number,
                    .bytes = tn_tiles_bytes(&array->tiles), .object = id,
                    .name =
                        kind == TN_MEM_RESOURCE_BEGIN ? "tarn_array_create" : "tarn_array_destroy");
    tn_emit_place(array->device->platform, &event);
    tn_emit(&event);
}

// Takes numbers for the elements. Something lies between two arrays, so that none continues another.
static uint64_t take_numbers(uint64_t bytes) {
    static _Atomic uint64_t next = TN_ELEMENTS_FROM;
    const uint64_t unit = 4096;
    uint64_t number = tn_add_relaxed(&next, (bytes / unit + 2) * unit);
    TARN_ASSERT(number >= TN_ELEMENTS_FROM && number <= UINT64_MAX - bytes);
    return number;
}

struct tn_box tn_array_numbers(const struct tn_array *array, const tarn_array_place *place,
                               uint64_t width, uint64_t height, uint64_t depth) {
    const struct tn_tiles *tiles = &array->tiles;
    TARN_ASSERT(place->level < tiles->levels && place->x < tn_tiles_size(tiles, place->level, 0));
    TARN_ASSERT(place->z < tn_tiles_planes(tiles, place->level));
    const uint64_t at[3] = {place->x, place->y, place->z};
    const uint64_t row = tn_tiles_size(tiles, place->level, 0) * tiles->element_bytes;
    return (struct tn_box){
        .addr = array->number + tn_tiles_linear(tiles, place->level, at),
        .width = width * tiles->element_bytes,
        .height = height,
        .pitch = row,
        .depth = depth,
        .slice = tiles->volume ? row * tn_tiles_size(tiles, place->level, 1) : tiles->layer_bytes,
    };
}

// ---- the table

static tarn_status not_live(tarn_array id) {
    return tn_fail(TARN_BAD_HANDLE, "0x%llx is not a live array", (unsigned long long)id);
}

static tarn_status find_array(tarn_array id, struct tn_array **array) {
    uint64_t payload = 0;
    tn_rwlock_read(&lock);
    bool found = tn_slots_get(&table, id, &payload);
    struct tn_array *record = found ? tn_slots_to_pointer(payload) : NULL;
    if (found) {
        unsigned refs = tn_add_relaxed(&record->refs, 1);
        TARN_ASSERT(refs != 0); // the table's own reference keeps it alive here
        (void)refs;
    }
    tn_rwlock_unlock(&lock);
    if (!found) return not_live(id);
    tarn_status status = tn_platform_usable(record->device->platform);
    if (status == TARN_OK)
        *array = record;
    else
        tn_array_put(record);
    return status;
}

tarn_status tn_array_get(tarn_array id, struct tn_array **array) {
    tarn_status status = find_array(id, array);
    if (status == TARN_BAD_HANDLE && tn_subscribed()) tn_emit_stale(TN_MEM_ARRAY, "a call", id);
    return status;
}

void tn_array_put(struct tn_array *array) {
    if (tn_sub_acq_rel(&array->refs, 1) != 1) return;
    // A call that ran concurrently with the destroy may have enqueued work just now.
    struct tn_platform *platform = array->device->platform;
    tn_platform_synchronize(platform, UINT32_MAX, true);
    platform->ops->array_destroy(platform->p, array->backend);
    TN_UNCOUNT(platform, arrays, 1);
    TN_COUNT(platform, backend_calls, 1);
    free(array);
}

static tarn_status destroy_array(tarn_array id) {
    if (id == 0) return TARN_OK;
    TN_ARRAY_GET(array, find_array(id, &array));
    TN_TRY(tn_platform_may_wait(array->device->platform));
    tn_rwlock_write(&lock);
    bool removed = tn_slots_remove(&table, id, NULL); // false: another thread was faster
    tn_rwlock_unlock(&lock);
    if (!removed) return not_live(id);
    if (tn_subscribed()) emit_array(TN_MEM_RESOURCE_END, array, id);
    tn_array_put(array); // the table's reference
    return TARN_OK;
}

tarn_status tarn_array_destroy(tarn_array id) {
    return TN_DONE(tn_refused(destroy_array(id), "tarn_array_destroy", 0, 0, id));
}

// ---- create

static tarn_status check_dimensions(const tarn_array_desc *desc) {
    bool layers = (desc->flags & (TARN_ARRAY_LAYERED | TARN_ARRAY_CUBE)) != 0;
    const tarn_extent *e = &desc->extent;
    TN_REFUSE(e->width == 0 || (e->height == 0 && e->depth != 0), TARN_BAD_ARGUMENT,
              "an array of %llu x %llu x %llu elements", (unsigned long long)e->width,
              (unsigned long long)e->height, (unsigned long long)e->depth);
    TN_REFUSE(layers && e->depth != 0, TARN_BAD_ARGUMENT, "layers of three dimensions, depth %llu",
              (unsigned long long)e->depth);
    TN_REFUSE(!layers && desc->layers > 1, TARN_BAD_ARGUMENT, "%u layers in an array without them",
              desc->layers);
    bool six = (desc->flags & TARN_ARRAY_LAYERED) != 0 ? desc->layers % 6 == 0 && desc->layers > 0
                                                       : desc->layers == 6;
    TN_REFUSE((desc->flags & TARN_ARRAY_CUBE) != 0 && (!six || e->width != e->height),
              TARN_BAD_ARGUMENT, "a cube with %u faces of %llu x %llu elements", desc->layers,
              (unsigned long long)e->width, (unsigned long long)e->height);
    return TARN_OK;
}

static tarn_status check_flags(const tarn_array_desc *desc) {
    const uint32_t known =
        TARN_ARRAY_LAYERED | TARN_ARRAY_CUBE | TARN_ARRAY_SPARSE | TARN_ARRAY_DEFERRED;
    bool sparse = (desc->flags & TARN_ARRAY_SPARSE) != 0;
    TN_REFUSE((desc->flags & ~known) != 0, TARN_BAD_ARGUMENT, "array flags 0x%x are unknown",
              desc->flags & ~known);
    TN_REFUSE(sparse && ((desc->flags & (TARN_ARRAY_CUBE | TARN_ARRAY_DEFERRED)) != 0 ||
                         desc->extent.height == 0),
              TARN_BAD_ARGUMENT,
              "a sparse array that is deferred, a cube or of one dimension: flags 0x%x, "
              "height %llu",
              desc->flags, (unsigned long long)desc->extent.height);
    return TARN_OK;
}

static tarn_status check_elements(const tarn_array_desc *desc, struct tn_tiles *tiles) {
    const uint64_t size[3] = {desc->extent.width, desc->extent.height, desc->extent.depth};
    uint32_t bytes = desc->element_bytes;
    TN_REFUSE(bytes == 0 || bytes > 16 || (bytes & (bytes - 1)) != 0, TARN_BAD_ARGUMENT,
              "elements of %u bytes, not 1, 2, 4, 8 or 16", bytes);
    TN_REFUSE(desc->levels > tn_tiles_max_levels(size), TARN_BAD_ARGUMENT,
              "%u levels, the array has at most %u", desc->levels, tn_tiles_max_levels(size));
    TN_REFUSE(!tn_tiles_init(tiles, size, desc->layers, desc->levels, bytes), TARN_BAD_ARGUMENT,
              "%llu x %llu x %llu elements of %u bytes in %u layers are more than an "
              "array can have",
              (unsigned long long)size[0], (unsigned long long)size[1], (unsigned long long)size[2],
              bytes, desc->layers);
    return TARN_OK;
}

// Drops references that the backend no longer needs.
static void release_tiles(void *owner, uint64_t count) { tn_phys_release_tiles(owner, count); }

static tarn_status init_array(tarn_device *device, const tarn_array_desc *desc,
                              struct tn_array *array) {
    struct tn_platform *platform = device->platform;
    array->device = device;
    array->desc = *desc;
    array->refs = 1;
    TN_TRY(check_flags(desc));
    TN_TRY(check_dimensions(desc));
    TN_TRY(check_elements(desc, &array->tiles));
    array->desc.layers = array->tiles.layers;
    array->number = take_numbers(tn_tiles_bytes(&array->tiles));
    tarn_status status = platform->ops->array_create(platform->p, device->ordinal, &array->desc,
                                                     release_tiles, &array->backend, &array->info);
    if (status == TARN_OK && tn_array_is(array, TARN_ARRAY_SPARSE)) {
        const tarn_backend_array_info *info = &array->info; // its division into tiles
        const struct tn_tiles_cut cut = {
            .tile_bytes = info->tile_bytes,
            .tile = {info->tile[0], info->tile[1], info->tile[2]},
            .sparse_levels = info->sparse_levels,
            .tail_bytes = info->tail_bytes,
            .single_tail = info->single_tail,
        };
        TARN_ASSERT(info->tile_bytes != 0);
        tn_tiles_set_cut(&array->tiles, &cut);
    }
    return status;
}

static tarn_status create_array(tarn_device *device, const tarn_array_desc *desc, tarn_array *id) {
    struct tn_platform *platform = device->platform;
    struct tn_array *array = calloc(1, sizeof *array);
    TN_REFUSE(array == NULL, TARN_NO_HOST_MEMORY, "no memory for the record of an array");
    tarn_status status = init_array(device, desc, array);
    if (status != TARN_OK) goto err_free;
    tn_rwlock_write(&lock);
    if (!table_ready) {
        tn_slots_init(&table, TN_SLOT_ARRAY, 0);
        table_ready = true;
    }
    status = tn_slots_insert(&table, tn_slots_from_pointer(array), id);
    tn_rwlock_unlock(&lock);
    if (status != TARN_OK) {
        (void)tn_fail(status, "the table of arrays cannot grow");
        goto err_destroy;
    }
    TN_COUNT(platform, arrays, 1);
    TN_COUNT(platform, backend_calls, 1);
    if (tn_subscribed()) emit_array(TN_MEM_RESOURCE_BEGIN, array, *id);
    return TARN_OK;

err_destroy:
    platform->ops->array_destroy(platform->p, array->backend);
err_free:
    free(array);
    return status;
}

tarn_status tarn_array_create(tarn_device *device, const tarn_array_desc *desc, tarn_array *array) {
    TN_FAIL_POINT(0, 0);
    tarn_array_desc own;
    TN_TRY(tn_device_usable(device));
    TN_REFUSE(desc == NULL || array == NULL, TARN_BAD_ARGUMENT, "%s is NULL",
              desc == NULL ? "desc" : "array");
    TN_TRY(tn_struct_read(&own, sizeof own, desc, "tarn_array_desc"));
    return TN_DONE(create_array(device, &own, array));
}

// ---- queries

tarn_status tarn_array_query(tarn_array id, tarn_array_info *info) {
    TN_ARRAY_GET(array, tn_array_get(id, &array));
    const tarn_array_info own = {
        .extent = array->desc.extent,
        .layers = array->desc.layers,
        .levels = array->desc.levels,
        .element_bytes = array->desc.element_bytes,
        .flags = array->desc.flags,
        .ordinal = array->device->ordinal,
        .bytes = tn_tiles_bytes(&array->tiles),
        .memory_bytes = array->info.memory_bytes,
        .memory_alignment = array->info.memory_alignment,
    };
    return TN_DONE(tn_struct_write(info, &own, sizeof own, "tarn_array_info"));
}

tarn_status tarn_array_query_level(tarn_array id, uint32_t level, tarn_extent *extent) {
    TN_ARRAY_GET(array, tn_array_get(id, &array));
    const tarn_extent *first = &array->desc.extent;
    TN_REFUSE(extent == NULL || level >= array->tiles.levels, TARN_BAD_ARGUMENT,
              "extent is NULL, or level %u of %u", level, array->tiles.levels);
    *extent = (tarn_extent){
        .width = tn_tiles_size(&array->tiles, level, 0),
        .height = first->height != 0 ? tn_tiles_size(&array->tiles, level, 1) : 0,
        .depth = first->depth != 0 ? tn_tiles_size(&array->tiles, level, 2) : 0,
    };
    return TARN_OK;
}

tarn_status tarn_array_query_sparse(tarn_array id, tarn_array_sparse_info *info) {
    TN_ARRAY_GET(array, tn_array_get(id, &array));
    TN_REFUSE(!tn_array_is(array, TARN_ARRAY_SPARSE), TARN_BAD_ARGUMENT,
              "the array is not sparse, its flags are 0x%x", array->desc.flags);
    const tarn_backend_array_info *cut = &array->info;
    const tarn_array_sparse_info own = {
        .tile = {cut->tile[0], cut->tile[1], cut->tile[2]},
        .tile_bytes = cut->tile_bytes,
        .sparse_levels = cut->sparse_levels,
        .tail_bytes = cut->tail_bytes,
        .single_tail = cut->single_tail,
    };
    return TN_DONE(tn_struct_write(info, &own, sizeof own, "tarn_array_sparse_info"));
}

TN_ON_FORK(arrays, .rank = TN_RANK_ARRAY, .rwlock = &lock);
