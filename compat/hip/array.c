// SPDX-License-Identifier: Apache-2.0
// Makes, frees and describes arrays. See array.h.
#include "compat/hip/array.h"
#include "compat/hip/face.h"

#include <stdlib.h>

#include <hip/detail/array.h>

#include "compat/runtime/order.h"
#include "compat/runtime/pool.h"

#define SPARSE_FLAGS (hipExtArraySparse | hipExtArrayDeferredMapping)
#define KNOWN_FLAGS                                                                                \
    (hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather |        \
     SPARSE_FLAGS)

// ---- requests

static tn_rt_error check_array_flags(const HIP_ARRAY3D_DESCRIPTOR *shape) {
    unsigned flags = shape->Flags;
    if ((flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x: unknown bits", flags);
    if ((flags & SPARSE_FLAGS) != 0 && !tn_rt_policy.sparse) {
        return tn_rt_fail(TN_RT_NOT_SUPPORTED,
                          "sparse arrays (flags 0x%x) are off; TARN_HIP_SPARSE=1 is on", flags);
    }
    bool layers = (flags & (hipArrayLayered | hipArrayCubemap)) != 0;
    if (layers && shape->Depth == 0)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x without layers, depth 0", flags);
    bool flat = shape->Height != 0 && (shape->Depth == 0 || layers);
    if ((flags & hipArrayTextureGather) != 0 && !flat)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "texture gather needs two dimensions");
    return TN_RT_OK;
}

static uint32_t flags_of_tarn(unsigned flags) {
    return (flags & hipArrayLayered ? TARN_ARRAY_LAYERED : 0u) |
           (flags & hipArrayCubemap ? TARN_ARRAY_CUBE : 0u) |
           (flags & hipExtArraySparse ? TARN_ARRAY_SPARSE : 0u) |
           (flags & hipExtArrayDeferredMapping ? TARN_ARRAY_DEFERRED : 0u);
}

tn_rt_error tn_hip_array_desc(const HIP_ARRAY3D_DESCRIPTOR *shape, tarn_array_desc *desc) {
    bool layers = (shape->Flags & (hipArrayLayered | hipArrayCubemap)) != 0;
    unsigned element = tn_hip_element_bytes(shape->Format, shape->NumChannels);
    if (element == 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "format 0x%x with %u channels is not an element",
                          (unsigned)shape->Format, shape->NumChannels);
    }
    if (layers && shape->Depth > UINT32_MAX)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%zu layers", shape->Depth);
    desc->extent = (tarn_extent){shape->Width, shape->Height, layers ? 0 : shape->Depth};
    desc->layers = layers ? (uint32_t)shape->Depth : 1;
    desc->element_bytes = element;
    desc->flags = flags_of_tarn(shape->Flags);
    return check_array_flags(shape);
}

tn_rt_error tn_hip_array_create(const struct tn_face_device *device, const tarn_array_desc *desc,
                                tarn_array *array) {
    tarn_status status = tarn_array_create(device->tarn, desc, array);
    if (status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(device))
        status = tarn_array_create(device->tarn, desc, array);
    return tn_rt_from(status);
}

// ---- objects

static void destroy_array(struct tn_face_object *object) {
    struct tn_hip_array *array = (struct tn_hip_array *)object;
    if (!array->is_level)
        (void)tarn_array_destroy(array->tarn);
    free(array);
}

tn_rt_error tn_hip_array_get(hipArray_const_t handle, struct tn_hip_array **array) {
    *array = (struct tn_hip_array *)tn_face_handle_get((uintptr_t)handle, TN_RT_ARRAY);
    return *array != NULL ? TN_RT_OK
                          : tn_rt_fail(TN_RT_INVALID_HANDLE, "no array 0x%llx",
                                       (unsigned long long)(uintptr_t)handle);
}

void tn_hip_array_put(struct tn_hip_array *array) {
    tn_face_object_put(&array->object);
}

tn_rt_error tn_hip_array_element(hipArray_const_t handle, uint64_t *bytes) {
    struct tn_hip_array *array = NULL;
    TN_RT_TRY(tn_hip_array_get(handle, &array));
    *bytes = tn_hip_element_bytes(array->shape.Format, array->shape.NumChannels);
    tn_hip_array_put(array);
    return TN_RT_OK;
}

struct tn_hip_array *tn_hip_array_new(const struct tn_hip_array *like) {
    struct tn_hip_array *array = (struct tn_hip_array *)malloc(sizeof *array);
    if (array != NULL) {
        *array = *like;
        if (!tn_face_handle_new(&array->object, TN_RT_ARRAY, destroy_array)) {
            free(array);
            array = NULL;
        }
    }
    if (array == NULL)
        (void)tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for an array");
    return array;
}

static tn_rt_error make_array(const HIP_ARRAY3D_DESCRIPTOR *shape, hipArray_t *handle) {
    struct tn_hip_array like = {.shape = *shape, .device = tn_rt_current()};
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    TN_RT_TRY(tn_rt_capture_allows());
    TN_RT_TRY(tn_hip_array_desc(shape, &desc));
    TN_RT_TRY(tn_hip_array_create(like.device, &desc, &like.tarn));
    struct tn_hip_array *array = tn_hip_array_new(&like);
    if (array == NULL) {
        (void)tarn_array_destroy(like.tarn);
        return TN_RT_OUT_OF_MEMORY;
    }
    *handle = (hipArray_t)array->object.handle;
    return TN_RT_OK;
}

// ---- creation

static tn_rt_error check_outputs(const void *array, const void *description) {
    if (array == NULL || description == NULL) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "%s is NULL",
                          array == NULL ? "array" : "the description");
    }
    return TN_RT_OK;
}

static tn_rt_error malloc_array(hipArray_t *array, const hipChannelFormatDesc *desc,
                                const hipExtent *extent, unsigned flags) {
    HIP_ARRAY3D_DESCRIPTOR shape = {
        .Width = extent->width, .Height = extent->height, .Depth = extent->depth, .Flags = flags};
    TN_RT_TRY(check_outputs(array, desc));
    TN_RT_TRY(tn_hip_channels(desc, &shape));
    return make_array(&shape, array);
}

hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *desc, size_t width,
                          size_t height, unsigned int flags) {
    hipExtent extent = {width, height, 0};
    return TN_HIP_CALL(malloc_array(array, desc, &extent, flags));
}

hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *desc, hipExtent extent,
                            unsigned int flags) {
    return TN_HIP_CALL(malloc_array(array, desc, &extent, flags));
}

static tn_rt_error create_3d(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *shape) {
    TN_RT_TRY(check_outputs(array, shape));
    return make_array(shape, array);
}

static tn_rt_error create_2d(hipArray_t *array, const HIP_ARRAY_DESCRIPTOR *flat) {
    TN_RT_TRY(check_outputs(array, flat));
    HIP_ARRAY3D_DESCRIPTOR shape = {.Width = flat->Width,
                                    .Height = flat->Height,
                                    .Format = flat->Format,
                                    .NumChannels = flat->NumChannels};
    return make_array(&shape, array);
}

hipError_t hipArrayCreate(hipArray_t *pHandle, const HIP_ARRAY_DESCRIPTOR *pAllocateArray) {
    return TN_HIP_CALL(create_2d(pHandle, pAllocateArray));
}

hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *pAllocateArray) {
    return TN_HIP_CALL(create_3d(array, pAllocateArray));
}

// ---- end

static tn_rt_error check_not_level(hipArray_t handle) {
    struct tn_hip_array *array = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "array"));
    if (tn_hip_array_get(handle, &array) != TN_RT_OK)
        return TN_RT_CONTEXT_DESTROYED; // as for other objects that were destroyed
    tn_rt_error error = array->is_level
                            ? tn_rt_fail(TN_RT_INVALID_VALUE, "array 0x%llx is level %u of another",
                                         (unsigned long long)(uintptr_t)handle, array->level)
                            : TN_RT_OK;
    tn_hip_array_put(array);
    return error;
}

static tn_rt_error free_array(hipArray_t handle) {
    TN_RT_TRY(check_not_level(handle));
    TN_RT_TRY(tn_rt_capture_allows());
    return tn_face_handle_end((uintptr_t)handle, TN_RT_ARRAY)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_CONTEXT_DESTROYED, "another thread frees array 0x%llx",
                            (unsigned long long)(uintptr_t)handle);
}

hipError_t hipFreeArray(hipArray_t array) {
    return TN_HIP_CALL(free_array(array));
}

hipError_t hipArrayDestroy(hipArray_t array) {
    return TN_HIP_CALL(free_array(array));
}

static bool is_on_device(const struct tn_face_object *object, const void *device) {
    return ((const struct tn_hip_array *)object)->device == device;
}

void tn_hip_array_reset(const struct tn_face_device *device) {
    tn_face_handle_end_all(TN_RT_ARRAY, is_on_device, device);
}

// ---- queries

static tn_rt_error get_shape(hipArray_const_t handle, HIP_ARRAY3D_DESCRIPTOR *shape) {
    struct tn_hip_array *array = NULL;
    TN_RT_TRY(tn_hip_array_get(handle, &array));
    *shape = array->shape;
    tn_hip_array_put(array);
    return TN_RT_OK;
}

static tn_rt_error get_info(hipChannelFormatDesc *desc, hipExtent *extent, unsigned *flags,
                            hipArray_t array) {
    HIP_ARRAY3D_DESCRIPTOR shape;
    TN_RT_TRY(get_shape(array, &shape));
    if (desc != NULL)
        *desc = tn_hip_channels_back(&shape);
    if (extent != NULL)
        *extent = make_hipExtent(shape.Width, shape.Height, shape.Depth);
    if (flags != NULL)
        *flags = shape.Flags;
    return TN_RT_OK;
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc *desc, hipExtent *extent, unsigned int *flags,
                           hipArray_t array) {
    return TN_HIP_CALL(get_info(desc, extent, flags, array));
}

static tn_rt_error get_channels(hipChannelFormatDesc *desc, hipArray_const_t array) {
    HIP_ARRAY3D_DESCRIPTOR shape;
    TN_RT_TRY(tn_rt_check_pointer(desc, "desc"));
    TN_RT_TRY(get_shape(array, &shape));
    *desc = tn_hip_channels_back(&shape);
    return TN_RT_OK;
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc *desc, hipArray_const_t array) {
    return TN_HIP_CALL(get_channels(desc, array));
}

static tn_rt_error get_descriptor(HIP_ARRAY_DESCRIPTOR *descriptor, hipArray_t array) {
    HIP_ARRAY3D_DESCRIPTOR shape;
    TN_RT_TRY(tn_rt_check_pointer(descriptor, "pArrayDescriptor"));
    TN_RT_TRY(get_shape(array, &shape));
    *descriptor = (HIP_ARRAY_DESCRIPTOR){.Width = shape.Width,
                                         .Height = shape.Height,
                                         .Format = shape.Format,
                                         .NumChannels = shape.NumChannels};
    return TN_RT_OK;
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *pArrayDescriptor, hipArray_t array) {
    return TN_HIP_CALL(get_descriptor(pArrayDescriptor, array));
}

static tn_rt_error get_descriptor_3d(HIP_ARRAY3D_DESCRIPTOR *descriptor, hipArray_t array) {
    TN_RT_TRY(tn_rt_check_pointer(descriptor, "pArrayDescriptor"));
    return get_shape(array, descriptor);
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *pArrayDescriptor, hipArray_t array) {
    return TN_HIP_CALL(get_descriptor_3d(pArrayDescriptor, array));
}
