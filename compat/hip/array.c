// SPDX-License-Identifier: Apache-2.0
// HIP's functions about arrays: plain, mipmapped and sparse ones. See compat/runtime/copy/array_rows.h.
#include <stddef.h>
#include <string.h>

#include <hip/detail/array.h>
#include <hip/detail/mipmap.h>
#include <hip/detail/sparse.h>
#include <hip/detail/vmm.h>

#include "compat/face/scope.h"
#include "compat/hip/face.h"
#include "compat/runtime/copy/array_rows.h"

_Static_assert(sizeof(HIP_ARRAY3D_DESCRIPTOR) == sizeof(struct tn_rt_shape) &&
                   sizeof(HIP_ARRAY_DESCRIPTOR) == sizeof(struct tn_rt_flat_shape) &&
                   sizeof(hipExtent) == 3 * sizeof(size_t) &&
                   (int)HIP_AD_FORMAT_SIGNED_INT8 == TN_RT_FORMAT_S8 &&
                   (int)HIP_AD_FORMAT_FLOAT == TN_RT_FORMAT_FLOAT &&
                   hipArrayTextureGather == TN_RT_ARRAY_GATHER &&
                   hipExtArrayDeferredMapping == TN_RT_ARRAY_DEFERRED,
               "a shape is HIP's descriptor");

// ---- creation

TN_HIP_ROW(hipMalloc3DArray,
           TN_FACE_EXPRESSION(tn_rt_array_make_box(array, desc, extent.width, extent.height,
                                                   extent.depth, flags)),
           hipArray_t *, array, const hipChannelFormatDesc *, desc, hipExtent, extent, unsigned int,
           flags)
TN_HIP_ROW(hipArrayCreate, tn_rt_array_make_flat, hipArray_t *, pHandle,
           const HIP_ARRAY_DESCRIPTOR *, pAllocateArray)
TN_HIP_ROW(hipArray3DCreate, tn_rt_array_make, hipArray_t *, array, const HIP_ARRAY3D_DESCRIPTOR *,
           pAllocateArray)
TN_HIP_ROW(hipFreeArray, tn_rt_array_free, hipArray_t, array)
TN_HIP_ROW(hipArrayDestroy, tn_rt_array_free, hipArray_t, array)

// ---- queries

TN_HIP_ROW(hipArrayGetInfo, tn_rt_array_info, hipChannelFormatDesc *, desc, hipExtent *, extent,
           unsigned int *, flags, hipArray_t, array)
TN_HIP_ROW(hipArrayGetDescriptor, tn_rt_array_flat_shape, HIP_ARRAY_DESCRIPTOR *, pArrayDescriptor,
           hipArray_t, array)
TN_HIP_ROW(hipArray3DGetDescriptor, tn_rt_array_shape, HIP_ARRAY3D_DESCRIPTOR *, pArrayDescriptor,
           hipArray_t, array)

// ---- mipmapped arrays

_Static_assert(sizeof(hipMipmappedArray) == TN_RT_SHOWN, "callers copy these bytes");

static tn_rt_error make_mipmap(const struct tn_rt_shape *shape, unsigned levels,
                               hipMipmappedArray_t *out) {
    struct tn_rt_mipmap TN_FACE_HELD *mipmap = NULL;
    TN_RT_TRY(tn_rt_check_pointer(out, "the mipmapped array"));
    TN_RT_TRY(tn_rt_mipmap_new(shape, levels, &mipmap));
    hipMipmappedArray shown = {.data = (void *)mipmap->object.handle,
                               .type = hipResourceTypeMipmappedArray,
                               .width = (unsigned)shape->width,
                               .height = (unsigned)shape->height,
                               .depth = (unsigned)shape->depth,
                               .max_mipmap_level = mipmap->level_count,
                               .flags = shape->flags,
                               .format = (hipArray_Format)shape->format,
                               .num_channels = shape->channels};
    tn_rt_channels_write(&shown.desc, shape);
    memcpy(mipmap->shown, &shown, sizeof shown);
    *out = (hipMipmappedArray_t)(void *)mipmap->shown;
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipMallocMipmappedArray, hipMipmappedArray_t *, mipmappedArray,
                const hipChannelFormatDesc *, desc, hipExtent, extent, unsigned int, numLevels,
                unsigned int, flags) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_shape_read(desc, extent.width, extent.height, extent.depth, flags, &shape));
    return make_mipmap(&shape, numLevels, mipmappedArray);
}

TN_HIP_FUNCTION(hipMipmappedArrayCreate, hipMipmappedArray_t *, pHandle, HIP_ARRAY3D_DESCRIPTOR *,
                pMipmappedArrayDesc, unsigned int, numMipmapLevels) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_check_pointer(pMipmappedArrayDesc, "pMipmappedArrayDesc"));
    memcpy(&shape, pMipmappedArrayDesc, sizeof shape);
    return make_mipmap(&shape, numMipmapLevels, pHandle);
}

TN_HIP_ROW(hipFreeMipmappedArray, tn_rt_mipmap_free, hipMipmappedArray_t, mipmappedArray)
TN_HIP_ROW(hipMipmappedArrayDestroy, tn_rt_mipmap_free, hipMipmappedArray_t, hMipmappedArray)
TN_HIP_ROW(hipMipmappedArrayGetLevel, tn_rt_mipmap_level, hipArray_t *, pLevelArray,
           hipMipmappedArray_t, hMipMappedArray, unsigned int, level)

// ---- sparse and deferred arrays

_Static_assert(sizeof(hipExtArraySparseProperties) == sizeof(struct tn_rt_sparse) &&
                   sizeof(hipExtArrayMemoryRequirements) == sizeof(struct tn_rt_needs) &&
                   hipExtArraySparsePropertiesSingleMiptail == 1,
               "as CUDA has them");
_Static_assert(sizeof(hipArrayMapInfo) == 152 && offsetof(hipArrayMapInfo, resource) == 8 &&
                   offsetof(hipArrayMapInfo, subresourceType) + sizeof(struct tn_rt_array_part) ==
                       152 &&
                   offsetof(hipArrayMapInfo, flags) - offsetof(hipArrayMapInfo, subresourceType) ==
                       offsetof(struct tn_rt_array_part, flags) &&
                   (int)hipMemOperationTypeMap == (int)TARN_ARRAY_MAP &&
                   (int)hipMemOperationTypeUnmap == (int)TARN_ARRAY_UNMAP &&
                   (int)hipArraySparseSubresourceTypeSparseLevel == (int)TARN_ARRAY_TILES &&
                   (int)hipArraySparseSubresourceTypeMiptail == (int)TARN_ARRAY_TAIL,
               "operations and parts have the same layout and numbers");

TN_HIP_ROW(hipExtArrayGetSparseProperties, tn_rt_array_sparse_layout, hipExtArraySparseProperties *,
           properties, hipArray_t, array)
TN_HIP_ROW(hipExtMipmappedArrayGetSparseProperties, tn_rt_mipmap_sparse_layout,
           hipExtArraySparseProperties *, properties, hipMipmappedArray_t, mipmappedArray)
TN_HIP_ROW(hipExtArrayGetMemoryRequirements, tn_rt_array_memory_needs,
           hipExtArrayMemoryRequirements *, requirements, hipArray_t, array, hipDevice_t, device)
TN_HIP_ROW(hipExtMipmappedArrayGetMemoryRequirements, tn_rt_mipmap_memory_needs,
           hipExtArrayMemoryRequirements *, requirements, hipMipmappedArray_t, mipmappedArray,
           hipDevice_t, device)
TN_HIP_ROW(hipMemMapArrayAsync, tn_rt_array_map, hipArrayMapInfo *, mapInfoList, unsigned int,
           count, hipStream_t, stream)
