// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays and their levels. See array.h.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <hip/detail/mipmap.h>

#include "compat/hip/array.h"
#include "compat/hip/face.h"
#include "compat/runtime/order.h"

_Static_assert(sizeof(hipMipmappedArray) == 64, "callers copy 64 bytes of it");

// ---- look-up

static bool is_shown_at(const struct tn_face_object *object, const void *pointer) {
    return &((const struct tn_hip_mipmap *)object)->shown == pointer;
}

tn_rt_error tn_hip_mipmap_get(hipMipmappedArray_const_t pointer, struct tn_hip_mipmap **mipmap) {
    uint32_t cursor = 0;
    struct tn_face_object *object =
        tn_face_handle_next(TN_RT_MIPMAP, is_shown_at, pointer, &cursor);
    *mipmap = (struct tn_hip_mipmap *)object;
    return object != NULL
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_HANDLE, "no mipmapped array %p", (const void *)pointer);
}

tn_rt_error tn_hip_mipmap_get_data(const void *data, struct tn_hip_mipmap **mipmap) {
    *mipmap = (struct tn_hip_mipmap *)tn_face_handle_get((uintptr_t)data, TN_RT_MIPMAP);
    return *mipmap != NULL
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_HANDLE, "no mipmapped array with data %p", data);
}

void tn_hip_mipmap_put(struct tn_hip_mipmap *mipmap) { tn_face_object_put(&mipmap->object); }

// ---- lifetime

static void close_levels(struct tn_hip_mipmap *mipmap) {
    while (mipmap->level_count > 0) {
        struct tn_rt_array *level = mipmap->levels[--mipmap->level_count];
        (void)tn_face_handle_close(level->object.handle, TN_RT_ARRAY);
        tn_rt_array_put(level);
    }
}

static void destroy_mipmap(struct tn_face_object *object) {
    struct tn_hip_mipmap *mipmap = (struct tn_hip_mipmap *)object;
    close_levels(mipmap);
    (void)tarn_array_destroy(mipmap->tarn);
    free(mipmap);
}

static tn_rt_error add_level(struct tn_hip_mipmap *mipmap) {
    struct tn_rt_array like = {.tarn = mipmap->tarn,
                               .level = mipmap->level_count,
                               .is_level = true,
                               .shape = mipmap->shape,
                               .device = mipmap->device};
    bool layers = (like.shape.flags & (TN_RT_ARRAY_LAYERED | TN_RT_ARRAY_CUBE)) != 0;
    tarn_extent extent;
    TN_RT_TRY(tn_rt_from(tarn_array_query_level(mipmap->tarn, like.level, &extent)));
    like.shape.width = extent.width;
    like.shape.height = extent.height;
    like.shape.depth = layers ? like.shape.depth : extent.depth;
    mipmap->levels[like.level] = tn_rt_array_new(&like);
    if (mipmap->levels[like.level] == NULL) return TN_RT_OUT_OF_MEMORY;
    mipmap->level_count++;
    return TN_RT_OK;
}

static void fill_shown(struct tn_hip_mipmap *mipmap) {
    const struct tn_rt_shape *shape = &mipmap->shape;
    mipmap->shown = (hipMipmappedArray){.data = (void *)mipmap->object.handle,
                                        .desc = tn_hip_channels_back(shape),
                                        .type = hipResourceTypeMipmappedArray,
                                        .width = (unsigned)shape->width,
                                        .height = (unsigned)shape->height,
                                        .depth = (unsigned)shape->depth,
                                        .max_mipmap_level = mipmap->level_count,
                                        .flags = shape->flags,
                                        .format = (hipArray_Format)shape->format,
                                        .num_channels = shape->channels};
}

static tn_rt_error add_levels(struct tn_hip_mipmap *mipmap, uint32_t levels) {
    tn_rt_error error = TN_RT_OK;
    while (error == TN_RT_OK && mipmap->level_count < levels)
        error = add_level(mipmap);
    if (error == TN_RT_OK && !tn_face_handle_new(&mipmap->object, TN_RT_MIPMAP, destroy_mipmap))
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a handle");
    return error;
}

// AMD has no levels of cubemaps. Sparse ones are an extension of Tarn.
static tn_rt_error check_mipmap_flags(unsigned flags) {
    const unsigned sparse = TN_RT_ARRAY_SPARSE | TN_RT_ARRAY_DEFERRED;
    return (flags & TN_RT_ARRAY_CUBE) == 0 || (flags & sparse) != 0
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x: a cubemap has one level", flags);
}

static tn_rt_error make_mipmap(const struct tn_rt_shape *shape, unsigned asked,
                               hipMipmappedArray_t *out) {
    struct tn_face_device *device = tn_rt_current();
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    tarn_array array = {0};
    tn_rt_error error = tn_rt_capture_allows();
    if (error == TN_RT_OK) error = tn_rt_array_desc(shape, &desc);
    if (error == TN_RT_OK) error = check_mipmap_flags(shape->flags);
    desc.levels = asked != 0 ? asked : 1; // tarn_array_create() checks the number
    if (error == TN_RT_OK) error = tn_rt_array_create(device, &desc, &array);
    if (error != TN_RT_OK) return error;
    struct tn_hip_mipmap *mipmap =
        (struct tn_hip_mipmap *)calloc(1, sizeof *mipmap + desc.levels * sizeof mipmap->levels[0]);
    if (mipmap == NULL) {
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %u levels", desc.levels);
        goto err_destroy;
    }
    mipmap->device = device;
    mipmap->shape = *shape;
    mipmap->tarn = array;
    error = add_levels(mipmap, desc.levels);
    if (error != TN_RT_OK) goto err_free;
    fill_shown(mipmap);
    *out = &mipmap->shown;
    return TN_RT_OK;

err_free:
    close_levels(mipmap);
    free(mipmap);
err_destroy:
    (void)tarn_array_destroy(array);
    return error;
}

// ---- HIP's functions

static tn_rt_error malloc_mipmap(hipMipmappedArray_t *out, const hipChannelFormatDesc *desc,
                                 const hipExtent *extent, unsigned levels, unsigned flags) {
    struct tn_rt_shape shape = {
        .width = extent->width, .height = extent->height, .depth = extent->depth, .flags = flags};
    TN_RT_TRY(tn_rt_check_pointer(out, "mipmappedArray"));
    TN_RT_TRY(tn_rt_check_pointer(desc, "desc"));
    TN_RT_TRY(tn_hip_channels(desc, &shape));
    return make_mipmap(&shape, levels, out);
}

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *mipmappedArray,
                                   const hipChannelFormatDesc *desc, hipExtent extent,
                                   unsigned int numLevels, unsigned int flags) {
    return TN_HIP_CALL(malloc_mipmap(mipmappedArray, desc, &extent, numLevels, flags));
}

static tn_rt_error create_mipmap(hipMipmappedArray_t *out, const HIP_ARRAY3D_DESCRIPTOR *desc,
                                 unsigned levels) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_check_pointer(out, "pHandle"));
    TN_RT_TRY(tn_rt_check_pointer(desc, "pMipmappedArrayDesc"));
    memcpy(&shape, desc, sizeof shape);
    return make_mipmap(&shape, levels, out);
}

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *pHandle,
                                   HIP_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                   unsigned int numMipmapLevels) {
    return TN_HIP_CALL(create_mipmap(pHandle, pMipmappedArrayDesc, numMipmapLevels));
}

static tn_rt_error no_mipmap_left(hipMipmappedArray_t pointer) {
    return tn_rt_fail(TN_RT_CONTEXT_DESTROYED, "%p is not a mipmapped array", (void *)pointer);
}

static tn_rt_error free_mipmap(hipMipmappedArray_t pointer) {
    struct tn_hip_mipmap *mipmap = NULL;
    TN_RT_TRY(tn_rt_check_pointer(pointer, "the mipmapped array"));
    if (tn_hip_mipmap_get(pointer, &mipmap) != TN_RT_OK) return no_mipmap_left(pointer);
    tn_rt_error error = tn_rt_capture_allows();
    if (error == TN_RT_OK && !tn_face_handle_end(mipmap->object.handle, TN_RT_MIPMAP))
        error = no_mipmap_left(pointer); // another thread was faster
    tn_hip_mipmap_put(mipmap);
    return error;
}

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray) {
    return TN_HIP_CALL(free_mipmap(mipmappedArray));
}

hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray) {
    return TN_HIP_CALL(free_mipmap(hMipmappedArray));
}

static tn_rt_error get_level(hipArray_t *array, hipMipmappedArray_const_t pointer, unsigned level) {
    struct tn_hip_mipmap *mipmap = NULL;
    tn_rt_error error = TN_RT_OK;
    TN_RT_TRY(tn_rt_check_pointer(array, "the level's array"));
    TN_RT_TRY(tn_hip_mipmap_get(pointer, &mipmap));
    if (level < mipmap->level_count)
        *array = (hipArray_t)mipmap->levels[level]->object.handle;
    else
        error = tn_rt_fail(TN_RT_INVALID_VALUE, "level %u of %u", level, mipmap->level_count);
    tn_hip_mipmap_put(mipmap);
    return error;
}

hipError_t hipGetMipmappedArrayLevel(hipArray_t *levelArray,
                                     hipMipmappedArray_const_t mipmappedArray, unsigned int level) {
    return TN_HIP_CALL(get_level(levelArray, mipmappedArray, level));
}

hipError_t hipMipmappedArrayGetLevel(hipArray_t *pLevelArray, hipMipmappedArray_t hMipMappedArray,
                                     unsigned int level) {
    return TN_HIP_CALL(get_level(pLevelArray, hMipMappedArray, level));
}

static bool is_on_device(const struct tn_face_object *object, const void *device) {
    return ((const struct tn_hip_mipmap *)object)->device == device;
}

void tn_hip_mipmap_reset(const struct tn_face_device *device) {
    tn_face_handle_end_all(TN_RT_MIPMAP, is_on_device, device);
}
