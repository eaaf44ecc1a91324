// SPDX-License-Identifier: Apache-2.0
// Mipmapped arrays and their levels. See array.h.
#include <stddef.h>
#include <stdlib.h>

#include <hip/detail/mipmap.h>

#include "compat/hip/array.h"
#include "compat/hip/order.h"

_Static_assert(sizeof(hipMipmappedArray) == 64, "callers copy 64 bytes of it");

// ---- finding

hipError_t tn_hip_mipmap_get(hipMipmappedArray_const_t pointer, struct tn_hip_mipmap **mipmap) {
    uint32_t cursor = 0;
    for (;;) {
        struct tn_face_object *object = tn_face_handle_next(TN_HIP_MIPMAP, &cursor);
        *mipmap = (struct tn_hip_mipmap *)object;
        if (object == NULL) {
            return tn_hip_fail(hipErrorInvalidHandle, "no mipmapped array %p",
                               (const void *)pointer);
        }
        if (&(*mipmap)->shown == pointer) {
            return hipSuccess;
        }
        tn_face_object_put(object);
    }
}

hipError_t tn_hip_mipmap_get_data(const void *data, struct tn_hip_mipmap **mipmap) {
    *mipmap = (struct tn_hip_mipmap *)tn_face_handle_get((uintptr_t)data, TN_HIP_MIPMAP);
    return *mipmap != NULL
               ? hipSuccess
               : tn_hip_fail(hipErrorInvalidHandle, "no mipmapped array with data %p", data);
}

void tn_hip_mipmap_put(struct tn_hip_mipmap *mipmap) {
    tn_face_object_put(&mipmap->object);
}

// ---- making

static void close_levels(struct tn_hip_mipmap *mipmap) {
    while (mipmap->level_count > 0) {
        struct tn_hip_array *level = mipmap->levels[--mipmap->level_count];
        (void)tn_face_handle_close(level->object.handle, TN_HIP_ARRAY);
        tn_hip_array_put(level);
    }
}

static void destroy(struct tn_face_object *object) {
    struct tn_hip_mipmap *mipmap = (struct tn_hip_mipmap *)object;
    close_levels(mipmap);
    (void)tarn_array_destroy(mipmap->tarn);
    free(mipmap);
}

static hipError_t add_level(struct tn_hip_mipmap *mipmap) {
    struct tn_hip_array like = {.tarn = mipmap->tarn,
                                .level = mipmap->level_count,
                                .is_level = true,
                                .shape = mipmap->shape,
                                .device = mipmap->device};
    bool layers = (like.shape.Flags & (hipArrayLayered | hipArrayCubemap)) != 0;
    tarn_extent extent;
    TN_HIP_TRY(tn_hip_from(tarn_array_query_level(mipmap->tarn, like.level, &extent)));
    like.shape.Width = extent.width;
    like.shape.Height = extent.height;
    like.shape.Depth = layers ? like.shape.Depth : extent.depth;
    mipmap->levels[like.level] = tn_hip_array_new(&like);
    if (mipmap->levels[like.level] == NULL) {
        return hipErrorOutOfMemory;
    }
    mipmap->level_count++;
    return hipSuccess;
}

// As many as asked for, at least 1 and at most what reaches 1 in every dimension: as CUDA has it.
static uint32_t clamp_levels(const tarn_extent *extent, unsigned asked) {
    uint64_t largest = extent->width | extent->height | extent->depth;
    uint32_t most = 1;
    while (largest > 1) {
        largest >>= 1;
        most++;
    }
    return asked == 0 ? 1 : asked < most ? asked : most;
}

static void show(struct tn_hip_mipmap *mipmap) {
    const HIP_ARRAY3D_DESCRIPTOR *shape = &mipmap->shape;
    mipmap->shown = (hipMipmappedArray){.data = (void *)mipmap->object.handle,
                                        .desc = tn_hip_channels_back(shape),
                                        .type = hipResourceTypeMipmappedArray,
                                        .width = (unsigned)shape->Width,
                                        .height = (unsigned)shape->Height,
                                        .depth = (unsigned)shape->Depth,
                                        .max_mipmap_level = mipmap->level_count,
                                        .flags = shape->Flags,
                                        .format = shape->Format,
                                        .num_channels = shape->NumChannels};
}

static hipError_t fill(struct tn_hip_mipmap *mipmap, uint32_t levels) {
    hipError_t error = hipSuccess;
    while (error == hipSuccess && mipmap->level_count < levels) {
        error = add_level(mipmap);
    }
    if (error == hipSuccess && !tn_face_handle_new(&mipmap->object, TN_HIP_MIPMAP, destroy)) {
        error = tn_hip_fail(hipErrorOutOfMemory, "no host memory for a handle");
    }
    return error;
}

static hipError_t make(const HIP_ARRAY3D_DESCRIPTOR *shape, unsigned asked,
                       hipMipmappedArray_t *out) {
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    hipError_t error = tn_hip_capture_allows();
    if (error == hipSuccess) {
        error = tn_hip_array_desc(shape, &desc);
    }
    if (error != hipSuccess) {
        return error;
    }
    desc.levels = clamp_levels(&desc.extent, asked);
    struct tn_hip_mipmap *mipmap =
        (struct tn_hip_mipmap *)calloc(1, sizeof *mipmap + desc.levels * sizeof mipmap->levels[0]);
    if (mipmap == NULL) {
        return tn_hip_fail(hipErrorOutOfMemory, "no host memory for %u levels", desc.levels);
    }
    mipmap->device = tn_hip_current();
    mipmap->shape = *shape;
    error = tn_hip_array_create(mipmap->device, &desc, &mipmap->tarn);
    if (error != hipSuccess) {
        goto err_free;
    }
    error = fill(mipmap, desc.levels);
    if (error != hipSuccess) {
        goto err_destroy;
    }
    show(mipmap);
    *out = &mipmap->shown;
    return hipSuccess;

err_destroy:
    close_levels(mipmap);
    (void)tarn_array_destroy(mipmap->tarn);
err_free:
    free(mipmap);
    return error;
}

// ---- HIP's names

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *mipmappedArray,
                                   const hipChannelFormatDesc *desc, hipExtent extent,
                                   unsigned int numLevels, unsigned int flags) {
    HIP_ARRAY3D_DESCRIPTOR shape = {
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && (mipmappedArray == NULL || desc == NULL)) {
        error = tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                            mipmappedArray == NULL ? "mipmappedArray" : "desc");
    }
    if (error == hipSuccess) {
        error = tn_hip_channels(desc, &shape);
    }
    if (error == hipSuccess) {
        error = make(&shape, numLevels, mipmappedArray);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *pHandle,
                                   HIP_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc,
                                   unsigned int numMipmapLevels) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && (pHandle == NULL || pMipmappedArrayDesc == NULL)) {
        error = tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                            pHandle == NULL ? "pHandle" : "pMipmappedArrayDesc");
    }
    if (error == hipSuccess) {
        error = make(pMipmappedArrayDesc, numMipmapLevels, pHandle);
    }
    return tn_hip_leave(error, __func__);
}

static hipError_t free_mipmap(hipMipmappedArray_t pointer) {
    struct tn_hip_mipmap *mipmap = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && pointer == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "the mipmapped array is NULL");
    }
    if (error == hipSuccess) {
        error = tn_hip_mipmap_get(pointer, &mipmap);
    }
    if (error != hipSuccess) {
        return error;
    }
    error = tn_hip_capture_allows();
    if (error == hipSuccess) {
        struct tn_face_object *name = tn_face_handle_close(mipmap->object.handle, TN_HIP_MIPMAP);
        if (name != NULL) {
            tn_face_object_put(name);
        } else {
            error = tn_hip_fail(hipErrorInvalidHandle, "mipmapped array %p is freed elsewhere",
                                (void *)pointer);
        }
    }
    tn_hip_mipmap_put(mipmap);
    return error;
}

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmappedArray) {
    return tn_hip_leave(free_mipmap(mipmappedArray), __func__);
}

hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t hMipmappedArray) {
    return tn_hip_leave(free_mipmap(hMipmappedArray), __func__);
}

static hipError_t get_level(hipArray_t *array, hipMipmappedArray_const_t pointer, unsigned level) {
    struct tn_hip_mipmap *mipmap = NULL;
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess && array == NULL) {
        error = tn_hip_fail(hipErrorInvalidValue, "where the level shall go is NULL");
    }
    if (error == hipSuccess) {
        error = tn_hip_mipmap_get(pointer, &mipmap);
    }
    if (error != hipSuccess) {
        return error;
    }
    if (level < mipmap->level_count) {
        *array = (hipArray_t)mipmap->levels[level]->object.handle;
    } else {
        error = tn_hip_fail(hipErrorInvalidValue, "level %u of %u", level, mipmap->level_count);
    }
    tn_hip_mipmap_put(mipmap);
    return error;
}

hipError_t hipGetMipmappedArrayLevel(hipArray_t *levelArray,
                                     hipMipmappedArray_const_t mipmappedArray, unsigned int level) {
    return tn_hip_leave(get_level(levelArray, mipmappedArray, level), __func__);
}

hipError_t hipMipmappedArrayGetLevel(hipArray_t *pLevelArray, hipMipmappedArray_t hMipMappedArray,
                                     unsigned int level) {
    return tn_hip_leave(get_level(pLevelArray, hMipMappedArray, level), __func__);
}

void tn_hip_mipmap_reset(const struct tn_hip_device *device) {
    uint32_t cursor = 0;
    struct tn_face_object *object;
    while ((object = tn_face_handle_next(TN_HIP_MIPMAP, &cursor)) != NULL) {
        struct tn_face_object *name = NULL;
        if (((struct tn_hip_mipmap *)object)->device == device) {
            name = tn_face_handle_close(object->handle, TN_HIP_MIPMAP);
        }
        if (name != NULL) {
            tn_face_object_put(name);
        }
        tn_face_object_put(object);
    }
}
