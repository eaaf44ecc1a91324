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

TN_CU(cuArrayCreate, tn_rt_array_make_flat, CUarray *, const CUDA_ARRAY_DESCRIPTOR *)
TN_CU(cuArray3DCreate, tn_rt_array_make, CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *)
static tn_rt_error destroy_array(CUarray array) {
    TN_RT_REFUSE(array == NULL, TN_RT_INVALID_HANDLE, "the array is NULL");
    return tn_rt_array_free(array);
}

TN_CU(cuArrayDestroy, destroy_array, CUarray)
TN_CUDART(cudaMalloc3DArray, TN_FACE_AS(tn_rt_array_make_box(a, b, c.width, c.height, c.depth, d)),
          cudaArray_t *, const struct cudaChannelFormatDesc *, struct cudaExtent, unsigned int)
TN_CUDART(cudaFreeArray, TN_FACE_AS(a == NULL ? TN_RT_OK : tn_rt_array_free(a)), cudaArray_t)

// ---- queries

TN_CUDART(cudaArrayGetInfo, tn_rt_array_info, struct cudaChannelFormatDesc *, struct cudaExtent *,
          unsigned int *, cudaArray_t)
TN_CU(cuArrayGetDescriptor, tn_rt_array_flat_shape, CUDA_ARRAY_DESCRIPTOR *, CUarray)
TN_CU(cuArray3DGetDescriptor, tn_rt_array_shape, CUDA_ARRAY3D_DESCRIPTOR *, CUarray)

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

TN_CU(cuMipmappedArrayCreate, create_mipmap, CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR *,
      unsigned int)
TN_CU(cuMipmappedArrayDestroy, tn_rt_mipmap_free, CUmipmappedArray)
TN_CU(cuMipmappedArrayGetLevel, tn_rt_mipmap_level, CUarray *, CUmipmappedArray, unsigned int)
TN_CUDART(cudaMallocMipmappedArray, alloc_mipmap, cudaMipmappedArray_t *,
          const struct cudaChannelFormatDesc *, struct cudaExtent, unsigned int, unsigned int)
TN_CUDART(cudaFreeMipmappedArray, TN_FACE_AS(a == NULL ? TN_RT_OK : tn_rt_mipmap_free(a)),
          cudaMipmappedArray_t)

// ---- sparse and deferred arrays

TN_CU_BOTH(ArrayGetSparseProperties, tn_rt_array_sparse_layout, CUDA_ARRAY_SPARSE_PROPERTIES *,
           CUarray)
TN_CU_BOTH(MipmappedArrayGetSparseProperties, tn_rt_mipmap_sparse_layout,
           CUDA_ARRAY_SPARSE_PROPERTIES *, CUmipmappedArray)
TN_CU_BOTH(ArrayGetMemoryRequirements, tn_rt_array_memory_needs, CUDA_ARRAY_MEMORY_REQUIREMENTS *,
           CUarray, CUdevice)
TN_CU(cuMipmappedArrayGetMemoryRequirements, tn_rt_mipmap_memory_needs,
      CUDA_ARRAY_MEMORY_REQUIREMENTS *, CUmipmappedArray, CUdevice)
TN_CUDART(cudaMipmappedArrayGetMemoryRequirements, tn_rt_mipmap_memory_needs,
          struct cudaArrayMemoryRequirements *, cudaMipmappedArray_t, int)
TN_CU_STREAM(cuMemMapArrayAsync, tn_rt_array_map, CUarrayMapInfo *, unsigned int, CUstream)

// ---- copies of rows

TN_CUDART_DIRECT(cudaMemcpy2DArrayToArray, tn_rt_rows_between, cudaArray_t, size_t, size_t,
                 cudaArray_const_t, size_t, size_t, size_t, size_t, enum cudaMemcpyKind)

// ---- copies of a part of one row, by the driver

TN_CU_DIRECT(cuMemcpyHtoA, tn_rt_row_to, CUarray, size_t, const void *, size_t)
TN_CU_DIRECT(cuMemcpyDtoA, tn_rt_row_to, CUarray, size_t, CUdeviceptr, size_t)
TN_CU_DIRECT(cuMemcpyAtoH, tn_rt_row_from, void *, CUarray, size_t, size_t)
TN_CU_DIRECT(cuMemcpyAtoD, tn_rt_row_from, CUdeviceptr, CUarray, size_t, size_t)
TN_CU_DIRECT(cuMemcpyAtoA, tn_rt_row_between, CUarray, size_t, CUarray, size_t, size_t)
TN_CU_STREAM(cuMemcpyHtoAAsync, tn_rt_row_to_async, CUarray, size_t, const void *, size_t, CUstream)
TN_CU_STREAM(cuMemcpyAtoHAsync, tn_rt_row_from_async, void *, CUarray, size_t, size_t, CUstream)
