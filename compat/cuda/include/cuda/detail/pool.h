/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/pool.h - stream-ordered memory, allocated from pools and freed in the order of a
 * stream. Each device has a default pool, and a current one from which plain allocations come.
 *
 * Work submitted to the stream before the free may still use the block. Its memory is free at once
 * for allocations on the same stream. Another stream may have it when a reuse policy of the pool
 * allows that. In a stream that captures, allocations and frees become nodes of the graph.
 */
#ifdef CUDA_PICK_

/* InvalidValue: an imported pool. MemoryAllocation: the pool's limit or the device's memory; a
 * smaller size may succeed. Size 0 is InvalidValue for the driver, and NULL for the runtime. The
 * second form may use the pool of another device than the stream's. */
#if CUDA_PICK_(1, 0)
CUDA_PTSZ_(cuMemAllocAsync, CUdeviceptr *address, size_t size, CUstream stream);
CUDA_PTSZ_(cuMemAllocFromPoolAsync, CUdeviceptr *address, size_t size, CUmemoryPool pool,
           CUstream stream);
/* InvalidValue: not the start of a block of a pool or of plain memory; plain memory in a
 * capture. */
CUDA_PTSZ_(cuMemFreeAsync, CUdeviceptr address, CUstream stream);
#else
CUDA_PTSZ_(cudaMallocAsync, void **address, size_t size, cudaStream_t stream);
CUDA_PTSZ_(cudaMallocFromPoolAsync, void **pointer, size_t size, cudaMemPool_t pool,
           cudaStream_t stream);
/* InvalidValue: not the start of a block of a pool or of plain memory; plain memory in a
 * capture. */
CUDA_PTSZ_(cudaFreeAsync, void *address, cudaStream_t stream);
#endif

/* cuMemPoolCreate, cuMemPoolDestroy and cuda...: a destroyed pool ends when its last block is
 * freed. InvalidValue: a default pool. A device whose current pool it was uses its default pool
 * again. */
CUDA_API_(MemPoolCreate, CUmemoryPool *pool, const CUmemPoolProps *properties);
CUDA_API_(MemPoolDestroy, CUmemoryPool pool);

/* cuMemPoolTrimTo, cudaMemPoolTrimTo: releases unused memory until at most so many bytes are
 * left. Does not wait. */
CUDA_API_(MemPoolTrimTo, CUmemoryPool pool, size_t bytes);

/* cuMemPoolSetAttribute, cuMemPoolGetAttribute and cuda...: InvalidValue: an unknown attribute, one
 * that cannot be set, or a peak set to a value other than 0. */
CUDA_API_(MemPoolSetAttribute, CUmemoryPool pool, CUmemPool_attribute attribute, void *value);
CUDA_API_(MemPoolGetAttribute, CUmemoryPool pool, CUmemPool_attribute attribute, void *value);

/* cuMemPoolSetAccess, cuMemPoolGetAccess and cuda...: rights of devices to all memory of the
 * pool. The pool's device keeps its rights. */
CUDA_API_(MemPoolSetAccess, CUmemoryPool pool, const CUmemAccessDesc *list, size_t count);
CUDA_API_(MemPoolGetAccess, CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location);

/* cuDeviceGetDefaultMemPool, cuDeviceGetMemPool, cuDeviceSetMemPool and cuda... */
CUDA_API_(DeviceGetDefaultMemPool, CUmemoryPool *pool, CUdevice device);
CUDA_API_(DeviceGetMemPool, CUmemoryPool *pool, CUdevice device);
CUDA_API_(DeviceSetMemPool, CUdevice device, CUmemoryPool pool);

#if TARN_CUDA_LEVEL >= 13
/* cuMemGetDefaultMemPool, cuMemGetMemPool, cuMemSetMemPool and cuda...: the same for a location. */
CUDA_API_(MemGetDefaultMemPool, CUmemoryPool *pool, CUmemLocation *location,
          CUmemAllocationType type);
CUDA_API_(MemGetMemPool, CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type);
CUDA_API_(MemSetMemPool, CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool);
#endif

/* cuMemPoolExportToShareableHandle, cuMemPoolImportFromShareableHandle and cuda...: write an
 * int, a new descriptor of the pool, and take one as the value of `handle`. InvalidValue: a pool
 * without handle types. */
CUDA_API_(MemPoolExportToShareableHandle, void *handle, CUmemoryPool pool,
          CUmemAllocationHandleType type, CUDA_SHARE_FLAGS_ flags);
CUDA_API_(MemPoolImportFromShareableHandle, CUmemoryPool *pool, void *handle,
          CUmemAllocationHandleType type, CUDA_SHARE_FLAGS_ flags);

/* cuMemPoolExportPointer, cuMemPoolImportPointer and cuda...: a block of a shared pool as plain
 * bytes, and its address in this process, which is freed like other blocks. */
CUDA_API_(MemPoolExportPointer, CUmemPoolPtrExportData *data, CUDA_ADDRESS_ pointer);
CUDA_API_(MemPoolImportPointer, CUDA_ADDRESS_ *address, CUmemoryPool pool,
          CUmemPoolPtrExportData *data);

#endif
