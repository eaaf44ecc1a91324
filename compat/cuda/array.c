// SPDX-License-Identifier: Apache-2.0
// Arrays: plain, mipmapped and sparse ones, and copies of rows of them. See compat/runtime/copy/array_rows.h
// and copy_rows.h.
#include "compat/runtime/copy/array_rows.h"

#include <string.h>

#include "compat/cuda/face.h"
#include "compat/face/scope.h"
#include "compat/runtime/copy/copy_rows.h"

_Static_assert(sizeof(CUDA_ARRAY3D_DESCRIPTOR) == sizeof(struct tn_rt_shape) &&
                   sizeof(CUDA_ARRAY_DESCRIPTOR) == sizeof(struct tn_rt_flat_shape) &&
                   sizeof(struct cudaChannelFormatDesc) == sizeof(struct tn_rt_channels) &&
                   (int)cudaChannelFormatKindNone == TN_RT_CHANNEL_NONE &&
                   (int)CU_AD_FORMAT_SIGNED_INT8 == TN_RT_FORMAT_S8 &&
                   (int)CU_AD_FORMAT_FLOAT == TN_RT_FORMAT_FLOAT &&
                   cudaArrayTextureGather == TN_RT_ARRAY_GATHER &&
                   cudaArrayDeferredMapping == TN_RT_ARRAY_DEFERRED &&
                   sizeof(struct cudaArraySparseProperties) == sizeof(struct tn_rt_sparse) &&
                   sizeof(struct cudaArrayMemoryRequirements) == sizeof(struct tn_rt_needs) &&
                   sizeof(CUarrayMapInfo) == 96,
               "descriptions have the same layout and numbers");

// ---- creation

TN_CU(cuArrayCreate_v2, tn_rt_array_make_flat, CUarray *, handle, const CUDA_ARRAY_DESCRIPTOR *,
      descriptor)
TN_CU(cuArray3DCreate_v2, tn_rt_array_make, CUarray *, handle, const CUDA_ARRAY3D_DESCRIPTOR *,
      descriptor)
static tn_rt_error destroy_array(CUarray array) {
    TN_RT_REFUSE(array == NULL, TN_RT_INVALID_HANDLE, "the array is NULL");
    return tn_rt_array_free(array);
}

TN_CU(cuArrayDestroy, destroy_array, CUarray, array)
TN_CUDART(cudaMalloc3DArray,
          TN_FACE_EXPRESSION(tn_rt_array_make_box(array, descriptor, extent.width, extent.height,
                                                  extent.depth, flags)),
          cudaArray_t *, array, const struct cudaChannelFormatDesc *, descriptor, struct cudaExtent,
          extent, unsigned int, flags)
TN_CUDART(cudaFreeArray, TN_FACE_EXPRESSION(array == NULL ? TN_RT_OK : tn_rt_array_free(array)),
          cudaArray_t, array)

// ---- queries

TN_CUDART(cudaArrayGetInfo, tn_rt_array_info, struct cudaChannelFormatDesc *, descriptor,
          struct cudaExtent *, extent, unsigned int *, flags, cudaArray_t, array)
TN_CU(cuArrayGetDescriptor_v2, tn_rt_array_flat_shape, CUDA_ARRAY_DESCRIPTOR *, descriptor, CUarray,
      array)
TN_CU(cuArray3DGetDescriptor_v2, tn_rt_array_shape, CUDA_ARRAY3D_DESCRIPTOR *, descriptor, CUarray,
      array)

TN_CUDART_PLAIN(struct cudaChannelFormatDesc, cudaCreateChannelDesc, int, x, int, y, int, z, int, w,
                enum cudaChannelFormatKind, kind) {
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

// ---- mipmapped arrays: a program's handle is the address of what is shown, which is nothing here

static tn_rt_error make_mipmap(void *out, const struct tn_rt_shape *shape, unsigned levels) {
    struct tn_rt_mipmap TN_FACE_HELD *mipmap = NULL;
    TN_RT_TRY(tn_rt_check_pointer(out, "the mipmapped array"));
    TN_RT_TRY(tn_rt_mipmap_new(shape, levels, &mipmap));
    tn_rt_give(out, (uintptr_t)mipmap->shown);
    return TN_RT_OK;
}

static tn_rt_error create_mipmap(void *out, const CUDA_ARRAY3D_DESCRIPTOR *desc, unsigned levels) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_check_pointer(desc, "the description"));
    memcpy(&shape, desc, sizeof shape);
    return make_mipmap(out, &shape, levels);
}

static tn_rt_error alloc_mipmap(void *out, const struct cudaChannelFormatDesc *desc,
                                struct cudaExtent extent, unsigned levels, unsigned flags) {
    struct tn_rt_shape shape;
    TN_RT_TRY(tn_rt_shape_read(desc, extent.width, extent.height, extent.depth, flags, &shape));
    return make_mipmap(out, &shape, levels);
}

TN_CU(cuMipmappedArrayCreate, create_mipmap, CUmipmappedArray *, handle,
      const CUDA_ARRAY3D_DESCRIPTOR *, descriptor, unsigned int, levels)
TN_CU(cuMipmappedArrayDestroy, tn_rt_mipmap_free, CUmipmappedArray, mipmap)
TN_CU(cuMipmappedArrayGetLevel, tn_rt_mipmap_level, CUarray *, level_array, CUmipmappedArray,
      mipmap, unsigned int, level)
TN_CUDART(cudaMallocMipmappedArray, alloc_mipmap, cudaMipmappedArray_t *, mipmap,
          const struct cudaChannelFormatDesc *, descriptor, struct cudaExtent, extent, unsigned int,
          levels, unsigned int, flags)
TN_CUDART(cudaFreeMipmappedArray,
          TN_FACE_EXPRESSION(mipmap == NULL ? TN_RT_OK : tn_rt_mipmap_free(mipmap)),
          cudaMipmappedArray_t, mipmap)

// ---- sparse and deferred arrays

TN_CU_BOTH(cuArrayGetSparseProperties, cudaArrayGetSparseProperties, tn_rt_array_sparse_layout,
           CUDA_ARRAY_SPARSE_PROPERTIES *, properties, CUarray, array)
TN_CU_BOTH(cuMipmappedArrayGetSparseProperties, cudaMipmappedArrayGetSparseProperties,
           tn_rt_mipmap_sparse_layout, CUDA_ARRAY_SPARSE_PROPERTIES *, properties, CUmipmappedArray,
           mipmap)
TN_CU_BOTH(cuArrayGetMemoryRequirements, cudaArrayGetMemoryRequirements, tn_rt_array_memory_needs,
           CUDA_ARRAY_MEMORY_REQUIREMENTS *, requirements, CUarray, array, CUdevice, device)
TN_CU(cuMipmappedArrayGetMemoryRequirements, tn_rt_mipmap_memory_needs,
      CUDA_ARRAY_MEMORY_REQUIREMENTS *, requirements, CUmipmappedArray, mipmap, CUdevice, device)
TN_CUDART(cudaMipmappedArrayGetMemoryRequirements, tn_rt_mipmap_memory_needs,
          struct cudaArrayMemoryRequirements *, requirements, cudaMipmappedArray_t, mipmap, int,
          device)
TN_CU_STREAM(cuMemMapArrayAsync, cuMemMapArrayAsync_ptsz, tn_rt_array_map, CUarrayMapInfo *, list,
             unsigned int, count, CUstream, stream)

// ---- copies of rows

TN_CUDART_STREAM(cudaMemcpy2DArrayToArray, cudaMemcpy2DArrayToArray_ptds, tn_rt_rows_between,
                 cudaArray_t, dst, size_t, dst_x, size_t, dst_y, cudaArray_const_t, src, size_t,
                 src_x, size_t, src_y, size_t, width, size_t, height, enum cudaMemcpyKind, kind)

// ---- copies of a part of one row, by the driver

TN_CU_STREAM(cuMemcpyHtoA_v2, cuMemcpyHtoA_v2_ptds,
             TN_FACE_EXPRESSION(tn_rt_part_to(dst, dst_offset, src, bytes, NULL,
                                              TN_RT_COPY_COMPLETE)),
             CUarray, dst, size_t, dst_offset, const void *, src, size_t, bytes)
TN_CU_STREAM(cuMemcpyDtoA_v2, cuMemcpyDtoA_v2_ptds,
             TN_FACE_EXPRESSION(tn_rt_part_to(dst, dst_offset, src, bytes, NULL,
                                              TN_RT_COPY_COMPLETE)),
             CUarray, dst, size_t, dst_offset, CUdeviceptr, src, size_t, bytes)
TN_CU_STREAM(cuMemcpyAtoH_v2, cuMemcpyAtoH_v2_ptds,
             TN_FACE_EXPRESSION(tn_rt_part_from(dst, src, src_offset, bytes, NULL,
                                                TN_RT_COPY_COMPLETE)),
             void *, dst, CUarray, src, size_t, src_offset, size_t, bytes)
TN_CU_STREAM(cuMemcpyAtoD_v2, cuMemcpyAtoD_v2_ptds,
             TN_FACE_EXPRESSION(tn_rt_part_from(dst, src, src_offset, bytes, NULL,
                                                TN_RT_COPY_COMPLETE)),
             CUdeviceptr, dst, CUarray, src, size_t, src_offset, size_t, bytes)
TN_CU_STREAM(cuMemcpyAtoA_v2, cuMemcpyAtoA_v2_ptds, tn_rt_row_between, CUarray, dst, size_t,
             dst_offset, CUarray, src, size_t, src_offset, size_t, bytes)
TN_CU_STREAM(cuMemcpyHtoAAsync_v2, cuMemcpyHtoAAsync_v2_ptsz,
             TN_FACE_EXPRESSION(tn_rt_part_to(dst, dst_offset, src, bytes, stream,
                                              TN_RT_COPY_ASYNC)),
             CUarray, dst, size_t, dst_offset, const void *, src, size_t, bytes, CUstream, stream)
TN_CU_STREAM(cuMemcpyAtoHAsync_v2, cuMemcpyAtoHAsync_v2_ptsz,
             TN_FACE_EXPRESSION(tn_rt_part_from(dst, src, src_offset, bytes, stream,
                                                TN_RT_COPY_ASYNC)),
             void *, dst, CUarray, src, size_t, src_offset, size_t, bytes, CUstream, stream)
