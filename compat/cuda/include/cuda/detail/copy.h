/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/copy.h - copies and fills of linear memory, of boxes and of arrays.
 *
 * Asynchronous forms are ordered by their stream. Pageable host memory is copied before the call
 * returns. Addresses tell the direction; a `kind` is checked for its range only. Count 0 succeeds
 * with any addresses. InvalidValue: a range that leaves its allocation, or a missing right of
 * access, when the call can see it; else the stream fails with IllegalAddress.
 * InvalidMemcpyDirection: an unknown kind. InvalidPitchValue: a pitch below the width.
 */
#ifdef CUDA_PICK_

/* Boxes: cuMemcpy3D, cuMemcpy3DPeer and cuda..., with their asynchronous forms. Widths are
 * bytes, or elements if an array takes part in a box of the runtime. */
CUDA_API_PTDS_(Memcpy3D, const CUDA_COPY_ *copy);
CUDA_API_PTSZ_(Memcpy3DAsync, const CUDA_COPY_ *copy, CUDA_STREAM_);
CUDA_API_PTDS_(Memcpy3DPeer, const CUDA_PEER_COPY_ *copy);
CUDA_API_PTSZ_(Memcpy3DPeerAsync, const CUDA_PEER_COPY_ *copy, CUDA_STREAM_);

/* Arrays: cuArrayGetPlane, cuArrayGetMemoryRequirements, cuArrayGetSparseProperties, those of
 * mipmapped arrays and cuda... */
CUDA_API_(ArrayGetPlane, CUarray *plane, CUarray array, unsigned index);
CUDA_API_(ArrayGetMemoryRequirements, CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements, CUarray array,
          CUdevice device);
CUDA_API_(MipmappedArrayGetMemoryRequirements, CUDA_ARRAY_MEMORY_REQUIREMENTS *requirements,
          CUmipmappedArray mipmap, CUdevice device);
CUDA_API_(ArrayGetSparseProperties, CUDA_ARRAY_SPARSE_PROPERTIES *properties, CUarray array);
CUDA_API_(MipmappedArrayGetSparseProperties, CUDA_ARRAY_SPARSE_PROPERTIES *properties,
          CUmipmappedArray mipmap);

#if CUDA_PICK_(1, 0)
/* ---- functions of the driver alone */

/* Runs of bytes, of any two places. */
CUDA_PTDS_(cuMemcpy, CUdeviceptr dst, CUdeviceptr src, size_t bytes);
CUDA_PTSZ_(cuMemcpyAsync, CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);

/* Between host and device, and within devices. */
CUDA_PTDS_(cuMemcpyHtoD, CUdeviceptr dst, const void *src, size_t bytes);
CUDA_PTSZ_(cuMemcpyHtoDAsync, CUdeviceptr dst, const void *src, size_t bytes, CUstream stream);
CUDA_PTDS_(cuMemcpyDtoH, void *dst, CUdeviceptr src, size_t bytes);
CUDA_PTSZ_(cuMemcpyDtoHAsync, void *dst, CUdeviceptr src, size_t bytes, CUstream stream);
CUDA_PTDS_(cuMemcpyDtoD, CUdeviceptr dst, CUdeviceptr src, size_t bytes);
CUDA_PTSZ_(cuMemcpyDtoDAsync, CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);

/* Between devices, with or without peer access. */
CUDA_PTDS_(cuMemcpyPeer, CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
           CUcontext src_context, size_t bytes);
CUDA_PTSZ_(cuMemcpyPeerAsync, CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
           CUcontext src_context, size_t bytes, CUstream stream);

/* Batches: each copy has the attributes at its index, at least one in all. Release 12 also returns the index of the copy
 * that failed. */
#if TARN_CUDA_LEVEL == 12
CUDA_PTSZ_(cuMemcpyBatchAsync, CUdeviceptr *dst, CUdeviceptr *src, size_t *sizes, size_t count,
           CUmemcpyAttributes *attributes, size_t *indices, size_t attribute_count, size_t *failed,
           CUstream stream);
CUDA_PTSZ_(cuMemcpy3DBatchAsync, size_t count, CUDA_MEMCPY3D_BATCH_OP *list, size_t *failed,
           unsigned long long flags, CUstream stream);
#else
CUDA_PTSZ_(cuMemcpyBatchAsync, CUdeviceptr *dst, CUdeviceptr *src, size_t *sizes, size_t count,
           CUmemcpyAttributes *attributes, size_t *indices, size_t attribute_count,
           CUstream stream);
CUDA_PTSZ_(cuMemcpy3DBatchAsync, size_t count, CUDA_MEMCPY3D_BATCH_OP *list,
           unsigned long long flags, CUstream stream);
#endif

/* Rows of bytes. */
CUDA_PTDS_(cuMemcpy2D, const CUDA_MEMCPY2D *copy);
CUDA_PTDS_(cuMemcpy2DUnaligned, const CUDA_MEMCPY2D *copy);
CUDA_PTSZ_(cuMemcpy2DAsync, const CUDA_MEMCPY2D *copy, CUstream stream);

/* Fills of elements of 1, 2 or 4 bytes, to which addresses are aligned, and of rows of them. */
CUDA_PTDS_(cuMemsetD8, CUdeviceptr dst, unsigned char value, size_t count);
CUDA_PTDS_(cuMemsetD16, CUdeviceptr dst, unsigned short value, size_t count);
CUDA_PTDS_(cuMemsetD32, CUdeviceptr dst, unsigned value, size_t count);
CUDA_PTSZ_(cuMemsetD8Async, CUdeviceptr dst, unsigned char value, size_t count, CUstream stream);
CUDA_PTSZ_(cuMemsetD16Async, CUdeviceptr dst, unsigned short value, size_t count, CUstream stream);
CUDA_PTSZ_(cuMemsetD32Async, CUdeviceptr dst, unsigned value, size_t count, CUstream stream);
CUDA_PTDS_(cuMemsetD2D8, CUdeviceptr dst, size_t pitch, unsigned char value, size_t width,
           size_t height);
CUDA_PTDS_(cuMemsetD2D16, CUdeviceptr dst, size_t pitch, unsigned short value, size_t width,
           size_t height);
CUDA_PTDS_(cuMemsetD2D32, CUdeviceptr dst, size_t pitch, unsigned value, size_t width,
           size_t height);
CUDA_PTSZ_(cuMemsetD2D8Async, CUdeviceptr dst, size_t pitch, unsigned char value, size_t width,
           size_t height, CUstream stream);
CUDA_PTSZ_(cuMemsetD2D16Async, CUdeviceptr dst, size_t pitch, unsigned short value, size_t width,
           size_t height, CUstream stream);
CUDA_PTSZ_(cuMemsetD2D32Async, CUdeviceptr dst, size_t pitch, unsigned value, size_t width,
           size_t height, CUstream stream);

/* ---- arrays of elements in device memory */

#define CUDA_ARRAY3D_LAYERED          0x01
#define CUDA_ARRAY3D_2DARRAY          0x01
#define CUDA_ARRAY3D_SURFACE_LDST     0x02
#define CUDA_ARRAY3D_CUBEMAP          0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER   0x08
#define CUDA_ARRAY3D_COLOR_ATTACHMENT 0x20
#define CUDA_ARRAY3D_SPARSE           0x40
#define CUDA_ARRAY3D_DEFERRED_MAPPING 0x80

/* InvalidValue: an unknown format, or no channels or width. */
CUresult cuArrayCreate(CUarray *handle, const CUDA_ARRAY_DESCRIPTOR *descriptor);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array);
CUresult cuArray3DCreate(CUarray *handle, const CUDA_ARRAY3D_DESCRIPTOR *descriptor);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array);
CUresult cuArrayDestroy(CUarray array);
CUresult cuMipmappedArrayCreate(CUmipmappedArray *handle, const CUDA_ARRAY3D_DESCRIPTOR *descriptor,
                                unsigned levels);
CUresult cuMipmappedArrayGetLevel(CUarray *level_array, CUmipmappedArray mipmap, unsigned level);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap);

/* Copies within the first row. Offsets are bytes. */
CUDA_PTDS_(cuMemcpyDtoA, CUarray dst, size_t dst_offset, CUdeviceptr src, size_t bytes);
CUDA_PTDS_(cuMemcpyAtoD, CUdeviceptr dst, CUarray src, size_t src_offset, size_t bytes);
CUDA_PTDS_(cuMemcpyHtoA, CUarray dst, size_t dst_offset, const void *src, size_t bytes);
CUDA_PTDS_(cuMemcpyAtoH, void *dst, CUarray src, size_t src_offset, size_t bytes);
CUDA_PTDS_(cuMemcpyAtoA, CUarray dst, size_t dst_offset, CUarray src, size_t src_offset,
           size_t bytes);
CUDA_PTSZ_(cuMemcpyHtoAAsync, CUarray dst, size_t dst_offset, const void *src, size_t bytes,
           CUstream stream);
CUDA_PTSZ_(cuMemcpyAtoHAsync, void *dst, CUarray src, size_t src_offset, size_t bytes,
           CUstream stream);

#else
/* ---- functions of the runtime alone */

/* Runs of bytes, of any two places. */
CUDA_PTDS_(cudaMemcpy, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
CUDA_PTSZ_(cudaMemcpyAsync, void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
           CUDA_STREAM_);

/* Between devices, with or without peer access. */
cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device,
                           size_t count);
cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                size_t count, CUDA_STREAM_);

/* From or to a variable of the device. InvalidSymbol: an unknown one. */
CUDA_PTDS_(cudaMemcpyToSymbol, const void *symbol, const void *src, size_t count,
           size_t offset CUDA_DEFAULT_(0),
           enum cudaMemcpyKind kind CUDA_DEFAULT_(cudaMemcpyHostToDevice));
CUDA_PTSZ_(cudaMemcpyToSymbolAsync, const void *symbol, const void *src, size_t count,
           size_t offset, enum cudaMemcpyKind kind, CUDA_STREAM_);
CUDA_PTDS_(cudaMemcpyFromSymbol, void *dst, const void *symbol, size_t count,
           size_t offset CUDA_DEFAULT_(0),
           enum cudaMemcpyKind kind CUDA_DEFAULT_(cudaMemcpyDeviceToHost));
CUDA_PTSZ_(cudaMemcpyFromSymbolAsync, void *dst, const void *symbol, size_t count, size_t offset,
           enum cudaMemcpyKind kind, CUDA_STREAM_);
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

/* Batches, as in the driver. */
#if TARN_CUDA_LEVEL == 12
CUDA_PTSZ_(cudaMemcpyBatchAsync, void **dst, void **src, size_t *sizes, size_t count,
           cudaMemcpyAttributes *attributes, size_t *indices, size_t attribute_count,
           size_t *failed, cudaStream_t stream);
CUDA_PTSZ_(cudaMemcpy3DBatchAsync, size_t count, cudaMemcpy3DBatchOp *list, size_t *failed,
           unsigned long long flags, cudaStream_t stream);
#else
CUDA_PTSZ_(cudaMemcpyBatchAsync, void *const *dst, const void *const *src, const size_t *sizes,
           size_t count, cudaMemcpyAttributes *attributes, size_t *indices, size_t attribute_count,
           cudaStream_t stream);
CUDA_PTSZ_(cudaMemcpy3DBatchAsync, size_t count, cudaMemcpy3DBatchOp *list,
           unsigned long long flags, cudaStream_t stream);
#endif

/* Rows of bytes. */
CUDA_PTDS_(cudaMemcpy2D, void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
           size_t width, size_t height, enum cudaMemcpyKind kind);
CUDA_PTSZ_(cudaMemcpy2DAsync, void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
           size_t width, size_t height, enum cudaMemcpyKind kind, CUDA_STREAM_);

/* Fills of bytes, of rows and of boxes. */
CUDA_PTDS_(cudaMemset, void *address, int value, size_t count);
CUDA_PTSZ_(cudaMemsetAsync, void *address, int value, size_t count, CUDA_STREAM_);
CUDA_PTDS_(cudaMemset2D, void *address, size_t pitch, int value, size_t width, size_t height);
CUDA_PTSZ_(cudaMemset2DAsync, void *address, size_t pitch, int value, size_t width, size_t height,
           CUDA_STREAM_);
CUDA_PTDS_(cudaMemset3D, cudaPitchedPtr pitched, int value, cudaExtent extent);
CUDA_PTSZ_(cudaMemset3DAsync, cudaPitchedPtr pitched, int value, cudaExtent extent, CUDA_STREAM_);

/* ---- arrays of elements in device memory */

/* The bits of the channels of an element, and their kind. */
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            enum cudaChannelFormatKind f);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *descriptor, cudaArray_const_t array);

/* Extents count elements; a height or depth of 0 means an array of fewer dimensions. */
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *descriptor,
                            size_t width, size_t height CUDA_DEFAULT_(0),
                            unsigned flags CUDA_DEFAULT_(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *descriptor,
                              cudaExtent extent, unsigned flags CUDA_DEFAULT_(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *descriptor, cudaExtent *extent, unsigned *flags,
                             cudaArray_t array);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap,
                                     const cudaChannelFormatDesc *descriptor, cudaExtent extent,
                                     unsigned levels, unsigned flags CUDA_DEFAULT_(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level_array, cudaMipmappedArray_const_t mipmap,
                                       unsigned level);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap);

/* Copies of rows. Offsets into a row are bytes, others count rows. */
CUDA_PTDS_(cudaMemcpy2DToArray, cudaArray_t dst, size_t x, size_t y, const void *src,
           size_t src_pitch, size_t width, size_t height, enum cudaMemcpyKind kind);
CUDA_PTSZ_(cudaMemcpy2DToArrayAsync, cudaArray_t dst, size_t x, size_t y, const void *src,
           size_t src_pitch, size_t width, size_t height, enum cudaMemcpyKind kind, CUDA_STREAM_);
CUDA_PTDS_(cudaMemcpy2DFromArray, void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x,
           size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
CUDA_PTSZ_(cudaMemcpy2DFromArrayAsync, void *dst, size_t dst_pitch, cudaArray_const_t src, size_t x,
           size_t y, size_t width, size_t height, enum cudaMemcpyKind kind, CUDA_STREAM_);
CUDA_PTDS_(cudaMemcpy2DArrayToArray, cudaArray_t dst, size_t dst_x, size_t dst_y,
           cudaArray_const_t src, size_t src_x, size_t src_y, size_t width, size_t height,
           enum cudaMemcpyKind kind CUDA_DEFAULT_(cudaMemcpyDeviceToDevice));

#endif
#endif
