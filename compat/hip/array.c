// SPDX-License-Identifier: Apache-2.0
// Making and freeing arrays. See array.h.
#include "compat/hip/array.h"

#include <stdlib.h>

#include <hip/detail/array.h>

#include "compat/hip/order.h"
#include "compat/hip/pool.h"

#define SPARSE_FLAGS (hipExtArraySparse | hipExtArrayDeferredMapping)
#define KNOWN_FLAGS                                                                                \
    (hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather |        \
     SPARSE_FLAGS)

// ---- what is asked for

static hipError_t check_flags(const HIP_ARRAY3D_DESCRIPTOR *shape) {
    unsigned flags = shape->Flags;
    if ((flags & ~(unsigned)KNOWN_FLAGS) != 0) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x are not all known", flags);
    }
    if ((flags & SPARSE_FLAGS) != 0 && !tn_hip_face.sparse) {
        return tn_hip_fail(hipErrorNotSupported,
                           "sparse arrays (flags 0x%x) are off; TARN_HIP_SPARSE=1 is on", flags);
    }
    bool layers = (flags & (hipArrayLayered | hipArrayCubemap)) != 0;
    if (layers && shape->Depth == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "flags 0x%x without layers, depth 0", flags);
    }
    bool flat = shape->Height != 0 && (shape->Depth == 0 || layers);
    if ((flags & hipArrayTextureGather) != 0 && !flat) {
        return tn_hip_fail(hipErrorInvalidValue, "texture gather needs two dimensions");
    }
    return hipSuccess;
}

static uint32_t flags_of_tarn(unsigned flags) {
    return (flags & hipArrayLayered ? TARN_ARRAY_LAYERED : 0u) |
           (flags & hipArrayCubemap ? TARN_ARRAY_CUBE : 0u) |
           (flags & hipExtArraySparse ? TARN_ARRAY_SPARSE : 0u) |
           (flags & hipExtArrayDeferredMapping ? TARN_ARRAY_DEFERRED : 0u);
}

hipError_t tn_hip_array_desc(const HIP_ARRAY3D_DESCRIPTOR *shape, tarn_array_desc *desc) {
    bool layers = (shape->Flags & (hipArrayLayered | hipArrayCubemap)) != 0;
    unsigned element = tn_hip_element_bytes(shape->Format, shape->NumChannels);
    if (element == 0) {
        return tn_hip_fail(hipErrorInvalidValue, "format 0x%x with %u channels is no element",
                           (unsigned)shape->Format, shape->NumChannels);
    }
    if (layers && shape->Depth > UINT32_MAX) {
        return tn_hip_fail(hipErrorInvalidValue, "%zu layers", shape->Depth);
    }
    desc->extent = (tarn_extent){shape->Width, shape->Height, layers ? 0 : shape->Depth};
    desc->layers = layers ? (uint32_t)shape->Depth : 1;
    desc->element_bytes = element;
    desc->flags = flags_of_tarn(shape->Flags);
    return check_flags(shape);
}

hipError_t tn_hip_array_create(const struct tn_hip_device *device, const tarn_array_desc *desc,
                               tarn_array *array) {
    tarn_status status = tarn_array_create(device->tarn, desc, array);
    if (status == TARN_NO_DEVICE_MEMORY && tn_hip_pool_relieve(device)) {
        status = tarn_array_create(device->tarn, desc, array);
    }
    return tn_hip_from(status);
}

// ---- objects

static void destroy(struct tn_face_object *object) {
    struct tn_hip_array *array = (struct tn_hip_array *)object;
    if (!array->is_level) {
        (void)tarn_array_destroy(array->tarn);
    }
    free(array);
}

hipError_t tn_hip_array_get(hipArray_const_t handle, struct tn_hip_array **array) {
    *array = (struct tn_hip_array *)tn_face_handle_get((uintptr_t)handle, TN_HIP_ARRAY);
    return *array != NULL ? hipSuccess
                          : tn_hip_fail(hipErrorInvalidHandle, "no array 0x%llx",
                                        (unsigned long long)(uintptr_t)handle);
}

void tn_hip_array_put(struct tn_hip_array *array) {
    tn_face_object_put(&array->object);
}

hipError_t tn_hip_array_element(hipArray_const_t handle, uint64_t *bytes) {
    struct tn_hip_array *array = NULL;
    TN_HIP_TRY(tn_hip_array_get(handle, &array));
    *bytes = tn_hip_element_bytes(array->shape.Format, array->shape.NumChannels);
    tn_hip_array_put(array);
    return hipSuccess;
}

struct tn_hip_array *tn_hip_array_new(const struct tn_hip_array *like) {
    struct tn_hip_array *array = (struct tn_hip_array *)malloc(sizeof *array);
    if (array != NULL) {
        *array = *like;
        if (!tn_face_handle_new(&array->object, TN_HIP_ARRAY, destroy)) {
            free(array);
            array = NULL;
        }
    }
    if (array == NULL) {
        (void)tn_hip_fail(hipErrorOutOfMemory, "no host memory for an array's record");
    }
    return array;
}

static hipError_t make(const HIP_ARRAY3D_DESCRIPTOR *shape, hipArray_t *handle) {
    struct tn_hip_array like = {.shape = *shape, .device = tn_hip_current()};
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    TN_HIP_TRY(tn_hip_capture_allows());
    TN_HIP_TRY(tn_hip_array_desc(shape, &desc));
    TN_HIP_TRY(tn_hip_array_create(like.device, &desc, &like.tarn));
    struct tn_hip_array *array = tn_hip_array_new(&like);
    if (array == NULL) {
        (void)tarn_array_destroy(like.tarn);
        return hipErrorOutOfMemory;
    }
    *handle = (hipArray_t)array->object.handle;
    return hipSuccess;
}

// ---- creation

static hipError_t check_outputs(const void *array, const void *description) {
    if (array == NULL || description == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "%s is NULL",
                           array == NULL ? "array" : "the description");
    }
    return hipSuccess;
}

static hipError_t malloc_array(hipArray_t *array, const hipChannelFormatDesc *desc,
                               const hipExtent *extent, unsigned flags) {
    HIP_ARRAY3D_DESCRIPTOR shape = {
        .Width = extent->width, .Height = extent->height, .Depth = extent->depth, .Flags = flags};
    TN_HIP_TRY(tn_hip_enter());
    TN_HIP_TRY(check_outputs(array, desc));
    TN_HIP_TRY(tn_hip_channels(desc, &shape));
    return make(&shape, array);
}

hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width,
                          size_t height, unsigned int flags) {
    hipExtent extent = {width, height, 0};
    return tn_hip_leave(malloc_array(array, desc, &extent, flags), __func__);
}

hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *desc, hipExtent extent,
                            unsigned int flags) {
    return tn_hip_leave(malloc_array(array, desc, &extent, flags), __func__);
}

hipError_t hipArrayCreate(hipArray_t *pHandle, const HIP_ARRAY_DESCRIPTOR *pAllocateArray) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = check_outputs(pHandle, pAllocateArray);
    }
    if (error == hipSuccess) {
        HIP_ARRAY3D_DESCRIPTOR shape = {.Width = pAllocateArray->Width,
                                        .Height = pAllocateArray->Height,
                                        .Format = pAllocateArray->Format,
                                        .NumChannels = pAllocateArray->NumChannels};
        error = make(&shape, pHandle);
    }
    return tn_hip_leave(error, __func__);
}

hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *pAllocateArray) {
    hipError_t error = tn_hip_enter();
    if (error == hipSuccess) {
        error = check_outputs(array, pAllocateArray);
    }
    if (error == hipSuccess) {
        error = make(pAllocateArray, array);
    }
    return tn_hip_leave(error, __func__);
}

// ---- the end

static hipError_t check_own(hipArray_t handle) {
    struct tn_hip_array *array = NULL;
    if (handle == NULL) {
        return tn_hip_fail(hipErrorInvalidValue, "array is NULL");
    }
    hipError_t error = tn_hip_array_get(handle, &array);
    if (error == hipSuccess) {
        if (array->is_level) {
            error = tn_hip_fail(hipErrorInvalidValue, "array 0x%llx is level %u of another",
                                (unsigned long long)(uintptr_t)handle, array->level);
        }
        tn_hip_array_put(array);
    }
    return error;
}

static hipError_t free_array(hipArray_t handle) {
    TN_HIP_TRY(tn_hip_enter());
    TN_HIP_TRY(check_own(handle));
    TN_HIP_TRY(tn_hip_capture_allows());
    struct tn_face_object *object = tn_face_handle_close((uintptr_t)handle, TN_HIP_ARRAY);
    if (object == NULL) {
        return tn_hip_fail(hipErrorInvalidHandle, "array 0x%llx is freed elsewhere",
                           (unsigned long long)(uintptr_t)handle);
    }
    tn_face_object_put(object);
    return hipSuccess;
}

hipError_t hipFreeArray(hipArray_t array) {
    return tn_hip_leave(free_array(array), __func__);
}

hipError_t hipArrayDestroy(hipArray_t array) {
    return tn_hip_leave(free_array(array), __func__);
}

void tn_hip_array_reset(const struct tn_hip_device *device) {
    uint32_t cursor = 0;
    struct tn_face_object *object;
    tn_hip_mipmap_reset(device);
    while ((object = tn_face_handle_next(TN_HIP_ARRAY, &cursor)) != NULL) {
        struct tn_face_object *name = NULL;
        if (((struct tn_hip_array *)object)->device == device) {
            name = tn_face_handle_close(object->handle, TN_HIP_ARRAY);
        }
        if (name != NULL) {
            tn_face_object_put(name);
        }
        tn_face_object_put(object);
    }
}
