// SPDX-License-Identifier: Apache-2.0
// See array.h.
#include "compat/runtime/copy/array.h"

#include <stdlib.h>
#include <string.h>

#include "compat/face/scope.h"
#include "compat/runtime/base/policy.h"
#include "compat/runtime/copy/policy.h"
#include "compat/runtime/memory/pool.h"
#include "compat/runtime/stream/order.h"

#define SPARSE_FLAGS (TN_RT_ARRAY_SPARSE | TN_RT_ARRAY_DEFERRED)
#define KNOWN_FLAGS                                                                                \
    (TN_RT_ARRAY_LAYERED | TN_RT_ARRAY_SURFACE | TN_RT_ARRAY_CUBE | TN_RT_ARRAY_GATHER |           \
     SPARSE_FLAGS)

// ---- requests

unsigned tn_rt_channel_bytes(unsigned format) {
    switch (format) {
    case TN_RT_FORMAT_U8:
    case TN_RT_FORMAT_S8: return 1;
    case TN_RT_FORMAT_U16:
    case TN_RT_FORMAT_S16:
    case TN_RT_FORMAT_HALF: return 2;
    case TN_RT_FORMAT_U32:
    case TN_RT_FORMAT_S32:
    case TN_RT_FORMAT_FLOAT: return 4;
    }
    return 0;
}

unsigned tn_rt_element_bytes(unsigned format, unsigned channels) {
    return channels == 1 || channels == 2 || channels == 4 ? tn_rt_channel_bytes(format) * channels
                                                           : 0;
}

static tn_rt_error check_array_flags(const struct tn_rt_shape *shape) {
    unsigned flags = shape->flags;
    TN_RT_REFUSE((flags & ~(unsigned)KNOWN_FLAGS) != 0, TN_RT_INVALID_VALUE,
                 "flags 0x%x: unknown bits", flags);
    TN_RT_REFUSE((flags & SPARSE_FLAGS) != 0 && !tn_rt_copy_policy.sparse, TN_RT_NOT_SUPPORTED,
                 "sparse arrays (flags 0x%x) are off; %s is on", flags,
                 tn_rt_copy_policy.sparse_variable);
    bool layers = (flags & (TN_RT_ARRAY_LAYERED | TN_RT_ARRAY_CUBE)) != 0;
    TN_RT_REFUSE(layers && shape->depth == 0, TN_RT_INVALID_VALUE,
                 "flags 0x%x without layers, depth 0", flags);
    bool flat = shape->height != 0 && (shape->depth == 0 || layers);
    TN_RT_REFUSE((flags & TN_RT_ARRAY_GATHER) != 0 && !flat, TN_RT_INVALID_VALUE,
                 "texture gather needs two dimensions");
    return TN_RT_OK;
}

static uint32_t flags_of_tarn(unsigned flags) {
    return (flags & TN_RT_ARRAY_LAYERED ? TARN_ARRAY_LAYERED : 0u) |
           (flags & TN_RT_ARRAY_CUBE ? TARN_ARRAY_CUBE : 0u) |
           (flags & TN_RT_ARRAY_SPARSE ? TARN_ARRAY_SPARSE : 0u) |
           (flags & TN_RT_ARRAY_DEFERRED ? TARN_ARRAY_DEFERRED : 0u);
}

tn_rt_error tn_rt_array_desc(const struct tn_rt_shape *shape, tarn_array_desc *desc) {
    bool layers = (shape->flags & (TN_RT_ARRAY_LAYERED | TN_RT_ARRAY_CUBE)) != 0;
    unsigned element = tn_rt_element_bytes(shape->format, shape->channels);
    TN_RT_REFUSE(element == 0, TN_RT_INVALID_VALUE,
                 "format 0x%x with %u channels is not an element", shape->format, shape->channels);
    TN_RT_REFUSE(layers && shape->depth > UINT32_MAX, TN_RT_INVALID_VALUE, "%zu layers",
                 shape->depth);
    desc->extent = (tarn_extent){shape->width, shape->height, layers ? 0 : shape->depth};
    desc->layers = layers ? (uint32_t)shape->depth : 1;
    desc->element_bytes = element;
    desc->flags = flags_of_tarn(shape->flags);
    return check_array_flags(shape);
}

tn_rt_error tn_rt_array_create(const struct tn_face_device *device, const tarn_array_desc *desc,
                               tarn_array *array) {
    tarn_status status = tarn_array_create(device->tarn, desc, array);
    if (status == TARN_NO_DEVICE_MEMORY && tn_rt_pool_reclaim(device))
        status = tarn_array_create(device->tarn, desc, array);
    return tn_rt_error_of(status);
}

// ---- objects

static void destroy_array(struct tn_face_object *object) {
    struct tn_rt_array *array = (struct tn_rt_array *)object;
    if (!array->is_level) (void)tarn_array_destroy(array->tarn);
    free(array);
}

tn_rt_error tn_rt_array_get(const void *handle, struct tn_rt_array **array) {
    *array = (struct tn_rt_array *)tn_face_handle_get((uintptr_t)handle, TN_RT_ARRAY);
    return *array != NULL ? TN_RT_OK
                          : tn_rt_fail(TN_RT_INVALID_HANDLE, "no array 0x%llx",
                                       (unsigned long long)(uintptr_t)handle);
}

void tn_rt_array_put(struct tn_rt_array *array) { tn_face_object_put(&array->object); }

tn_rt_error tn_rt_array_element(const void *handle, uint64_t *bytes) {
    TN_RT_GET(tn_rt_array, array, tn_rt_array_get(handle, &array));
    *bytes = tn_rt_element_bytes(array->shape.format, array->shape.channels);
    return TN_RT_OK;
}

struct tn_rt_array *tn_rt_array_new(const struct tn_rt_array *like) {
    struct tn_rt_array *array = (struct tn_rt_array *)malloc(sizeof *array);
    if (array != NULL) {
        *array = *like;
        if (tn_face_handle_new_held(&array->object, TN_RT_ARRAY, destroy_array) == 0) {
            free(array);
            array = NULL;
        }
    }
    if (array == NULL) (void)tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for an array");
    return array;
}

tn_rt_error tn_rt_array_make(void *handle, const void *shape) {
    struct tn_rt_array like = {.object.owner = tn_rt_current_owner(), .device = tn_rt_current()};
    tarn_array_desc desc = TARN_INIT(tarn_array_desc);
    TN_RT_TRY(tn_rt_check_pointer(handle, "array"));
    TN_RT_TRY(tn_rt_check_pointer(shape, "the description"));
    memcpy(&like.shape, shape, sizeof like.shape);
    TN_RT_TRY(tn_rt_capture_allows());
    TN_RT_TRY(tn_rt_array_desc(&like.shape, &desc));
    TN_RT_TRY(tn_rt_array_create(like.device, &desc, &like.tarn));
    struct tn_rt_array TN_FACE_HELD *array = tn_rt_array_new(&like);
    if (array == NULL) {
        (void)tarn_array_destroy(like.tarn);
        return TN_RT_OUT_OF_MEMORY;
    }
    tn_rt_give(handle, array->object.handle);
    return TN_RT_OK;
}

// ---- end

tn_rt_error tn_rt_array_free(void *handle) {
    struct tn_rt_array TN_FACE_HELD *array = NULL;
    TN_RT_TRY(tn_rt_check_pointer(handle, "array"));
    if (tn_rt_array_get(handle, &array) != TN_RT_OK) {
        tn_rt_block_refuse_handle(handle);
        return tn_rt_base_policy.dead_handle; // as for other objects that were destroyed
    }
    TN_RT_REFUSE(array->is_level, TN_RT_INVALID_VALUE, "array 0x%llx is level %u of another",
                 (unsigned long long)(uintptr_t)handle, array->level);
    TN_RT_TRY(tn_rt_capture_allows());
    return tn_face_handle_end((uintptr_t)handle, TN_RT_ARRAY)
               ? TN_RT_OK
               : tn_rt_fail(tn_rt_base_policy.dead_handle, "another thread frees array 0x%llx",
                            (unsigned long long)(uintptr_t)handle);
}

// ---- queries

tn_rt_error tn_rt_array_shape(void *out, const void *handle) {
    TN_RT_TRY(tn_rt_check_pointer(out, "pArrayDescriptor"));
    TN_RT_GET(tn_rt_array, array, tn_rt_array_get(handle, &array));
    const struct tn_rt_shape shape = array->shape;
    memcpy(out, &shape, sizeof shape);
    return TN_RT_OK;
}
