// SPDX-License-Identifier: Apache-2.0
// Sparse and deferred arrays: their requirements, and the memory that is mapped under them. The
// file has no state, so any thread may call its functions.
#include <hip/detail/sparse.h>
#include <hip/detail/vmm.h>

#include <stdlib.h>

#include "compat/hip/array.h"
#include "compat/hip/face.h"
#include "compat/runtime/order.h"
#include "compat/runtime/vmm.h"

_Static_assert(sizeof(hipExtArraySparseProperties) == 48, "as CUDA has it");
_Static_assert(sizeof(hipExtArrayMemoryRequirements) == 32, "as CUDA has it");
_Static_assert(sizeof(hipArrayMapInfo) == 152, "as AMD has it");
_Static_assert((int)hipMemOperationTypeMap == (int)TARN_ARRAY_MAP &&
                   (int)hipMemOperationTypeUnmap == (int)TARN_ARRAY_UNMAP &&
                   (int)hipArraySparseSubresourceTypeSparseLevel == (int)TARN_ARRAY_TILES &&
                   (int)hipArraySparseSubresourceTypeMiptail == (int)TARN_ARRAY_TAIL,
               "operations and parts have the same numbers");

// An array that is not a level: plain or mipmapped.
struct whole {
    tarn_array tarn;
    const struct tn_face_device *device;
    unsigned flags; // of HIP
    bool is_mipmap;
};

static tn_rt_error whole_of_array(const void *handle, struct whole *whole) {
    struct tn_rt_array *array = NULL;
    tn_rt_error error = tn_rt_array_get(handle, &array);
    if (error != TN_RT_OK) return error;
    *whole = (struct whole){array->tarn, array->device, array->shape.flags, false};
    if (array->is_level) {
        error = tn_rt_fail(TN_RT_INVALID_VALUE, "array 0x%llx is level %u of another",
                           (unsigned long long)(uintptr_t)handle, array->level);
    }
    tn_rt_array_put(array);
    return error;
}

static void describe_mipmap(struct tn_hip_mipmap *mipmap, struct whole *whole) {
    *whole = (struct whole){mipmap->tarn, mipmap->device, mipmap->shape.flags, true};
    tn_hip_mipmap_put(mipmap);
}

static tn_rt_error whole_of_mipmap(hipMipmappedArray_const_t pointer, struct whole *whole) {
    struct tn_hip_mipmap *mipmap = NULL;
    TN_RT_TRY(tn_hip_mipmap_get(pointer, &mipmap));
    describe_mipmap(mipmap, whole);
    return TN_RT_OK;
}

// ---- queries

static tn_rt_error query_sparse(const struct whole *whole,
                                hipExtArraySparseProperties *properties) {
    tarn_array_sparse_info info = TARN_INIT(tarn_array_sparse_info);
    TN_RT_TRY(tn_rt_from(tarn_array_query_sparse(whole->tarn, &info)));
    *properties = (hipExtArraySparseProperties){
        .tileExtent = {(unsigned)info.tile.width, (unsigned)info.tile.height,
                       (unsigned)info.tile.depth},
        .miptailFirstLevel = whole->is_mipmap ? info.sparse_levels : 0,
        .miptailSize = info.tail_bytes,
        .flags = info.single_tail ? hipExtArraySparsePropertiesSingleMiptail : 0u,
    };
    return TN_RT_OK;
}

static tn_rt_error get_sparse_of_array(hipExtArraySparseProperties *properties, hipArray_t array) {
    struct whole whole;
    TN_RT_TRY(tn_rt_check_pointer(properties, "properties"));
    TN_RT_TRY(whole_of_array(array, &whole));
    return query_sparse(&whole, properties);
}

hipError_t hipExtArrayGetSparseProperties(hipExtArraySparseProperties *properties,
                                          hipArray_t array) {
    return TN_HIP_CALL(get_sparse_of_array(properties, array));
}

static tn_rt_error get_sparse_of_mipmap(hipExtArraySparseProperties *properties,
                                        hipMipmappedArray_const_t mipmap) {
    struct whole whole;
    TN_RT_TRY(tn_rt_check_pointer(properties, "properties"));
    TN_RT_TRY(whole_of_mipmap(mipmap, &whole));
    return query_sparse(&whole, properties);
}

hipError_t hipExtMipmappedArrayGetSparseProperties(hipExtArraySparseProperties *properties,
                                                   hipMipmappedArray_t mipmappedArray) {
    return TN_HIP_CALL(get_sparse_of_mipmap(properties, mipmappedArray));
}

static tn_rt_error query_requirements(const struct whole *whole, hipDevice_t ordinal,
                                      hipExtArrayMemoryRequirements *requirements) {
    tarn_array_info info = TARN_INIT(tarn_array_info);
    const struct tn_face_device *device = tn_rt_device(ordinal);
    TN_RT_TRY(tn_rt_check_device(ordinal));
    if (device != whole->device) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "the array is on device %d, not on %d",
                          whole->device->ordinal, ordinal);
    }
    if ((whole->flags & TN_RT_ARRAY_DEFERRED) == 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "the array is not deferred, its flags are 0x%x",
                          whole->flags);
    }
    TN_RT_TRY(tn_rt_from(tarn_array_query(whole->tarn, &info)));
    *requirements = (hipExtArrayMemoryRequirements){.size = info.memory_bytes,
                                                    .alignment = info.memory_alignment};
    return TN_RT_OK;
}

static tn_rt_error get_needs_of_array(hipExtArrayMemoryRequirements *requirements, hipArray_t array,
                                      hipDevice_t device) {
    struct whole whole;
    TN_RT_TRY(tn_rt_check_pointer(requirements, "requirements"));
    TN_RT_TRY(whole_of_array(array, &whole));
    return query_requirements(&whole, device, requirements);
}

hipError_t hipExtArrayGetMemoryRequirements(hipExtArrayMemoryRequirements *requirements,
                                            hipArray_t array, hipDevice_t device) {
    return TN_HIP_CALL(get_needs_of_array(requirements, array, device));
}

static tn_rt_error get_needs_of_mipmap(hipExtArrayMemoryRequirements *requirements,
                                       hipMipmappedArray_const_t mipmap, hipDevice_t device) {
    struct whole whole;
    TN_RT_TRY(tn_rt_check_pointer(requirements, "requirements"));
    TN_RT_TRY(whole_of_mipmap(mipmap, &whole));
    return query_requirements(&whole, device, requirements);
}

hipError_t hipExtMipmappedArrayGetMemoryRequirements(hipExtArrayMemoryRequirements *requirements,
                                                     hipMipmappedArray_t mipmappedArray,
                                                     hipDevice_t device) {
    return TN_HIP_CALL(get_needs_of_mipmap(requirements, mipmappedArray, device));
}

// ---- mapping

static tn_rt_error check_entry(const hipArrayMapInfo *info, const struct tn_face_device *device) {
    unsigned operation = (unsigned)info->memOperationType;
    if (info->flags != 0 || info->reserved[0] != 0 || info->reserved[1] != 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "flags 0x%x, reserved 0x%x and 0x%x are not 0",
                          info->flags, info->reserved[0], info->reserved[1]);
    }
    if (operation != hipMemOperationTypeMap && operation != hipMemOperationTypeUnmap)
        return tn_rt_fail(TN_RT_INVALID_VALUE, "operation %u is neither map nor unmap", operation);
    if (info->deviceBitMask != 1u << device->ordinal) {
        return tn_rt_fail(TN_RT_INVALID_VALUE,
                          "device mask 0x%x is not the bit of the stream's device %d",
                          info->deviceBitMask, device->ordinal);
    }
    return TN_RT_OK;
}

static tn_rt_error find_resource(const hipArrayMapInfo *info, struct whole *whole) {
    struct tn_hip_mipmap *mipmap = NULL;
    tn_rt_error error;
    switch ((unsigned)info->resourceType) {
    case hipResourceTypeArray: return whole_of_array(info->resource.array, whole);
    case hipResourceTypeMipmappedArray:
        error = tn_hip_mipmap_get_data(info->resource.mipmap.data, &mipmap);
        if (error == TN_RT_OK) describe_mipmap(mipmap, whole);
        return error;
    default:
        return tn_rt_fail(TN_RT_INVALID_VALUE, "resource type %u is not an array",
                          (unsigned)info->resourceType);
    }
}

static void read_level(const hipArrayMapInfo *info, tarn_array_map_item *item) {
    item->part = TARN_ARRAY_TILES;
    item->layer = info->subresource.sparseLevel.layer;
    item->level = info->subresource.sparseLevel.level;
    item->offset[0] = info->subresource.sparseLevel.offsetX;
    item->offset[1] = info->subresource.sparseLevel.offsetY;
    item->offset[2] = info->subresource.sparseLevel.offsetZ;
    item->extent = (tarn_extent){info->subresource.sparseLevel.extentWidth,
                                 info->subresource.sparseLevel.extentHeight,
                                 info->subresource.sparseLevel.extentDepth};
}

static void read_tail(const hipArrayMapInfo *info, tarn_array_map_item *item) {
    item->part = TARN_ARRAY_TAIL;
    item->layer = info->subresource.miptail.layer;
    item->tail_offset = info->subresource.miptail.offset;
    item->tail_bytes = info->subresource.miptail.size;
}

static tn_rt_error read_part(const hipArrayMapInfo *info, const struct whole *whole,
                             tarn_array_map_item *item) {
    unsigned type = (unsigned)info->subresourceType;
    if ((whole->flags & TN_RT_ARRAY_DEFERRED) != 0)
        return TN_RT_OK; // mapped completely, so the part is ignored
    if (type == hipArraySparseSubresourceTypeSparseLevel) {
        read_level(info, item);
    } else if (type == hipArraySparseSubresourceTypeMiptail) {
        read_tail(info, item);
    } else {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "subresource type %u is neither level nor tail",
                          type);
    }
    return TN_RT_OK;
}

static tn_rt_error read_memory(const hipArrayMapInfo *info, tarn_array_map_item *item) {
    hipMemGenericAllocationHandle_t handle = info->memHandle.memHandle;
    item->op = (tarn_array_op)info->memOperationType;
    if (item->op == TARN_ARRAY_UNMAP) {
        return handle == NULL ? TN_RT_OK
                              : tn_rt_fail(TN_RT_INVALID_VALUE,
                                           "unmapping takes no memory, but memHandle is 0x%llx",
                                           (unsigned long long)(uintptr_t)handle);
    }
    if ((unsigned)info->memHandleType != hipMemHandleTypeGeneric) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "handle type %u is not generic",
                          (unsigned)info->memHandleType);
    }
    if (handle == NULL) return tn_rt_fail(TN_RT_INVALID_HANDLE, "memHandle is NULL");
    item->phys = tn_rt_phys_of(handle);
    item->phys_offset = info->offset;
    return TN_RT_OK;
}

static tn_rt_error read_entry(const hipArrayMapInfo *info, const struct tn_face_device *device,
                              tarn_array_map_item *item) {
    struct whole whole;
    *item = (tarn_array_map_item){0};
    tn_rt_error error = check_entry(info, device);
    if (error == TN_RT_OK) error = find_resource(info, &whole);
    if (error == TN_RT_OK) {
        item->array = whole.tarn;
        error = read_part(info, &whole, item);
    }
    return error == TN_RT_OK ? read_memory(info, item) : error;
}

// This call reports a wrong device as hipErrorInvalidValue.
static tn_rt_error map_items(const tarn_array_map_item *items, size_t count, tarn_stream stream) {
    tarn_status status = tarn_array_map(items, count, stream);
    return status == TARN_BAD_DEVICE ? tn_rt_translate(status, TN_RT_INVALID_VALUE)
                                     : tn_rt_from(status);
}

static tn_rt_error map_in(const struct tn_rt_where *where, const hipArrayMapInfo *list,
                          unsigned count) {
    tarn_array_map_item *items = (tarn_array_map_item *)calloc(count, sizeof *items);
    tn_rt_error error = TN_RT_OK;
    if (items == NULL)
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for %u entries", count);
    for (unsigned i = 0; i < count && error == TN_RT_OK; i++)
        error = read_entry(&list[i], where->device, &items[i]);
    if (error == TN_RT_OK) error = map_items(items, count, where->stream);
    free(items);
    return error;
}

static tn_rt_error map_array(const hipArrayMapInfo *list, unsigned count, hipStream_t stream) {
    struct tn_rt_where where;
    TN_RT_TRY(tn_rt_vmm_check());
    if (list == NULL || count == 0) {
        return tn_rt_fail(TN_RT_INVALID_VALUE, "mapInfoList %p, count %u", (const void *)list,
                          count);
    }
    if (!tn_rt_policy.sparse)
        return tn_rt_fail(TN_RT_NOT_SUPPORTED, "sparse arrays are off; TARN_HIP_SPARSE=1 is on");
    TN_RT_TRY(tn_rt_stream_begin(stream, &where));
    tn_rt_error error = map_in(&where, list, count);
    tn_rt_stream_end(&where);
    return error;
}

hipError_t hipMemMapArrayAsync(hipArrayMapInfo *mapInfoList, unsigned int count,
                               hipStream_t stream) {
    return TN_HIP_CALL(map_array(mapInfoList, count, stream));
}
