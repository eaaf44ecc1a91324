// SPDX-License-Identifier: Apache-2.0
// See array.h: mipmapped arrays and their levels. The file has no state.
#include <stdlib.h>

#include <tarn/annotate.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/copy/array.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/stream/order.h"

static bool is_shown_at(const struct tn_face_object *object, const void *pointer) {
    return ((const struct tn_rt_mipmap *)object)->shown == pointer;
}

tn_rt_error tn_rt_mipmap_find(const void *pointer, struct tn_rt_mipmap **mipmap) {
    uint32_t cursor = 0;
    *mipmap =
        (struct tn_rt_mipmap *)tn_face_handle_next(TN_RT_MIPMAP, is_shown_at, pointer, &cursor);
    if (*mipmap != NULL) return TN_RT_OK;
    tarn_annotate_stale_handle("a call by handle", (uintptr_t)pointer);
    return tn_rt_fail(TN_RT_INVALID_HANDLE, "no mipmapped array %p", pointer);
}

tn_rt_error tn_rt_mipmap_get(const void *handle, struct tn_rt_mipmap **mipmap) {
    *mipmap = (struct tn_rt_mipmap *)tn_face_handle_get((uintptr_t)handle, TN_RT_MIPMAP);
    return *mipmap != NULL
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_HANDLE, "no mipmapped array with data %p", handle);
}

static void destroy_mipmap(struct tn_face_object *object) {
    struct tn_rt_mipmap *mipmap = (struct tn_rt_mipmap *)object;
    while (mipmap->level_count > 0) {
        struct tn_rt_array *level = mipmap->levels[--mipmap->level_count];
        (void)tn_face_handle_close(level->object.handle, TN_RT_ARRAY);
        tn_rt_array_put(level);
    }
    (void)tarn_array_destroy(mipmap->tarn);
    tarn_annotate_handle_end((uintptr_t)mipmap->shown);
    free(mipmap);
}

static tn_rt_error add_level(struct tn_rt_mipmap *mipmap) {
    struct tn_rt_array like = {.object.owner = TN_RT_NO_OWNER,
                               .tarn = mipmap->tarn,
                               .level = mipmap->level_count,
                               .is_level = true,
                               .shape = mipmap->shape,
                               .device = mipmap->device};
    bool layers = (like.shape.flags & (TN_RT_ARRAY_LAYERED | TN_RT_ARRAY_CUBE)) != 0;
    tarn_extent extent;
    TN_RT_TRY(tn_rt_error_of(tarn_array_query_level(mipmap->tarn, like.level, &extent)));
    like.shape.width = extent.width;
    like.shape.height = extent.height;
    like.shape.depth = layers ? like.shape.depth : extent.depth;
    mipmap->levels[like.level] = tn_rt_array_new(&like);
    if (mipmap->levels[like.level] == NULL) return TN_RT_OUT_OF_MEMORY;
    tn_rt_array_put(mipmap->levels[mipmap->level_count++]); // the handle keeps it
    return TN_RT_OK;
}

tn_rt_error tn_rt_mipmap_new(const struct tn_rt_shape *shape, unsigned levels,
                             struct tn_rt_mipmap **mipmap) {
    const unsigned sparse = TN_RT_ARRAY_SPARSE | TN_RT_ARRAY_DEFERRED;
    struct tn_face_device *device = tn_rt_current();
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array array = {0};
    TN_RT_TRY(tn_rt_capture_allows());
    TN_RT_TRY(tn_rt_array_desc(shape, &desc));
    // AMD has no levels of cubemaps. Sparse ones are an extension of Tarn.
    TN_RT_REFUSE((shape->flags & TN_RT_ARRAY_CUBE) != 0 && (shape->flags & sparse) == 0,
                 TN_RT_INVALID_VALUE, "flags 0x%x: a cubemap has one level", shape->flags);
    desc.levels = levels != 0 ? levels : 1; // tarn_array_create() checks the number
    TN_RT_TRY(tn_rt_array_create(device, &desc, &array));
    struct tn_rt_mipmap *made =
        (struct tn_rt_mipmap *)calloc(1, sizeof *made + desc.levels * sizeof made->levels[0]);
    if (made == NULL) {
        (void)tarn_array_destroy(array);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %u levels", desc.levels);
    }
    made->object.owner = tn_rt_current_owner();
    made->device = device;
    made->shape = *shape;
    made->tarn = array;
    tn_rt_error error = TN_RT_OK;
    while (error == TN_RT_OK && made->level_count < desc.levels) error = add_level(made);
    if (error == TN_RT_OK &&
        tn_face_handle_new_held(&made->object, TN_RT_MIPMAP, destroy_mipmap) == 0)
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a handle");
    if (error != TN_RT_OK) {
        destroy_mipmap(&made->object);
        return error;
    }
    tarn_annotate_handle_begin((uintptr_t)made->shown); // the handle that the program knows
    *mipmap = made;
    return TN_RT_OK;
}

tn_rt_error tn_rt_mipmap_free(const void *pointer) {
    struct tn_rt_mipmap TN_FACE_HELD *mipmap = NULL;
    TN_RT_TRY(tn_rt_check_pointer(pointer, "the mipmapped array"));
    tn_rt_error error = tn_rt_mipmap_find(pointer, &mipmap);
    if (error == TN_RT_OK)
        TN_RT_TRY(tn_rt_capture_allows());
    else
        tn_rt_block_refuse_handle(pointer);
    // Another thread may be faster.
    return error == TN_RT_OK && tn_face_handle_end(mipmap->object.handle, TN_RT_MIPMAP)
               ? TN_RT_OK
               : tn_rt_fail(tn_rt_base_policy.dead_handle, "%p is not a mipmapped array", pointer);
}

tn_rt_error tn_rt_mipmap_level(void *array, const void *pointer, unsigned level) {
    TN_RT_TRY(tn_rt_check_pointer(array, "the level's array"));
    TN_RT_GET(tn_rt_mipmap, mipmap, tn_rt_mipmap_find(pointer, &mipmap));
    TN_RT_REFUSE(level >= mipmap->level_count, TN_RT_INVALID_VALUE, "level %u of %u", level,
                 mipmap->level_count);
    tn_rt_give(array, mipmap->levels[level]->object.handle);
    return TN_RT_OK;
}
