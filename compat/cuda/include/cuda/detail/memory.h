/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/memory.h - memory of devices and hosts, managed memory, pointers, and memory of other
 * processes. Devices and pinned host memory share one address space.
 */
#ifdef CUDA_PICK_

/* cuMemGetInfo, cudaMemGetInfo: bytes of the current device. Reserved addresses cost nothing. */
CUDA_API_(MemGetInfo, size_t *free, size_t *total);

/* ---- managed memory: of the CPU and all devices. Tarn keeps it on the host, where it takes no
 * memory of a device. Advice is stored and returned. */

/* cuMemPrefetchAsync, cudaMemPrefetchAsync, and those of several ranges: each range goes to the
 * location whose index it has. Discarded ranges lose their bytes. InvalidValue: memory that is not
 * managed, or a range beyond its allocation. */
CUDA_API_PTSZ_(CUDA_13_(MemPrefetchAsync, _v2), CUDA_CONST_ADDRESS_ address, size_t count,
               CUmemLocation location, unsigned flags, CUDA_STREAM_);
CUDA_API_PTSZ_(MemPrefetchBatchAsync, CUDA_ADDRESS_ *addresses, size_t *sizes, size_t count,
               CUmemLocation *locations, size_t *indices, size_t location_count,
               unsigned long long flags, CUstream stream);
CUDA_API_PTSZ_(MemDiscardBatchAsync, CUDA_ADDRESS_ *addresses, size_t *sizes, size_t count,
               unsigned long long flags, CUstream stream);
CUDA_API_PTSZ_(MemDiscardAndPrefetchBatchAsync, CUDA_ADDRESS_ *addresses, size_t *sizes,
               size_t count, CUmemLocation *locations, size_t *indices, size_t location_count,
               unsigned long long flags, CUstream stream);

/* cuMemAdvise, cudaMemAdvise, and queries of what was advised, for every page of a range. Locations
 * are an int: a device, -1 for the host, -2 if pages differ. */
CUDA_API_(CUDA_13_(MemAdvise, _v2), CUDA_CONST_ADDRESS_ address, size_t count, CUmem_advise advice,
          CUmemLocation location);
CUDA_API_(MemRangeGetAttribute, void *data, size_t data_size, CUmem_range_attribute attribute,
          CUDA_CONST_ADDRESS_ address, size_t count);
CUDA_API_(MemRangeGetAttributes, void **data, size_t *data_sizes, CUmem_range_attribute *attributes,
          size_t attribute_count, CUDA_CONST_ADDRESS_ address, size_t count);

#if TARN_CUDA_LEVEL == 12
/* The same with a device as the location; -1 is the host. */
CUDA_API_PTSZ_(MemPrefetchAsync, CUDA_CONST_ADDRESS_ address, size_t count, int device,
               CUDA_STREAM_);
CUDA_API_(MemAdvise, CUDA_CONST_ADDRESS_ address, size_t count, CUmem_advise advice, int device);
#endif

/* cuStreamAttachMemAsync, cudaStreamAttachMemAsync: the streams that may use managed memory.
 * Stored. */
CUDA_API_PTSZ_(StreamAttachMemAsync, CUstream stream, CUDA_ADDRESS_ address,
               size_t length CUDA_DEFAULT_(0), unsigned flags CUDA_DEFAULT_(0x04));

/* ---- memory and events of other processes */

/*
 * cuIpcGetMemHandle, cuIpcOpenMemHandle, cuIpcCloseMemHandle and cuda...: a handle names the whole
 * allocation and is plain bytes. Opening it twice gives the same address and needs two closes.
 * InvalidValue: not the memory of cuMemAlloc() or cudaMalloc(), or flags other than
 * LAZY_ENABLE_PEER_ACCESS; InvalidContext: a handle of this process.
 */
CUDA_API_(IpcGetMemHandle, CUipcMemHandle *handle, CUDA_ADDRESS_ address);
CUDA_API_(IpcOpenMemHandle, CUDA_ADDRESS_ *address, CUipcMemHandle handle, unsigned flags);
CUDA_API_(IpcCloseMemHandle, CUDA_ADDRESS_ address);

/* cuIpcGetEventHandle, cuIpcOpenEventHandle and cuda...: of events made for several processes,
 * without timing. InvalidResourceHandle: other events; MapBufferObjectFailed: bytes that are no
 * handle. */
CUDA_API_(IpcGetEventHandle, CUipcEventHandle *handle, CUevent event);
CUDA_API_(IpcOpenEventHandle, CUevent *event, CUipcEventHandle handle);

#if CUDA_PICK_(1, 0)
/* ---- functions of the driver alone */

/* Memory of the current device. Starts are multiples of 256. MemoryAllocation: the device has
 * less memory; a smaller size may succeed. InvalidValue: size 0, and cuMemAlloc writes 0.
 * The pitch of rows is a multiple of 512. */
CUresult cuMemAlloc(CUdeviceptr *address, size_t size);
CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                         unsigned element);

/* Waits for the work of the device. Also frees blocks of pools, without waiting. InvalidValue:
 * not the start of such memory. */
CUresult cuMemFree(CUdeviceptr address);

/* The allocation around an address. Either output may be NULL. NOT_FOUND: unknown memory, unless
 * both are. */
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr address);

/* ---- memory of the host that devices reach at the same address */

#define CU_MEMHOSTALLOC_PORTABLE      0x01
#define CU_MEMHOSTALLOC_DEVICEMAP     0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE   0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP  0x02
#define CU_MEMHOSTREGISTER_IOMEMORY   0x04
#define CU_MEMHOSTREGISTER_READ_ONLY  0x08

/* InvalidValue: size 0 or unknown flags. Free takes the start of such memory. */
CUresult cuMemAllocHost(void **pointer, size_t size);
CUresult cuMemHostAlloc(void **pointer, size_t size, unsigned flags);
CUresult cuMemFreeHost(void *pointer);

/* HostMemoryAlreadyRegistered: a page of the range is pinned; HostMemoryNotRegistered: the
 * address is in no registered range; InvalidValue: it is not the start of one. */
CUresult cuMemHostRegister(void *pointer, size_t size, unsigned flags);
CUresult cuMemHostUnregister(void *pointer);

/* InvalidValue: memory that is not pinned, or flags not 0. */
CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *pointer, unsigned flags);
CUresult cuMemHostGetFlags(unsigned *flags, void *pointer);

/* Managed memory. The flags are attach-global or attach-host; InvalidValue: others, or size 0. */
CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags);

/* Attributes of the memory around an address. The first function: InvalidValue for unknown memory.
 * The second gives zeros then, the device -2, and the address as the host pointer. */
CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer);
CUresult cuPointerGetAttributes(unsigned attribute_count, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr pointer);

/* CU_POINTER_ATTRIBUTE_SYNC_MEMOPS is accepted and has no effect. InvalidValue: others. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr pointer);

#else
/* ---- functions of the runtime alone */

/* Memory of the current device. Starts are multiples of 256. MemoryAllocation: the device has
 * less memory; a smaller size may succeed. Size 0 gives NULL, as does a failure of cudaMalloc. The
 * pitch of rows is a multiple of 512. */
cudaError_t cudaMalloc(void **address, size_t size);
cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent);

/* Waits for the work of the device. Also frees blocks of pools, without waiting. InvalidValue:
 * not the start of such memory. NULL has no effect. */
cudaError_t cudaFree(void *address);

/* Memory of the host that devices reach at the same address. Size 0 gives NULL, and NULL may be
 * freed. */
cudaError_t cudaMallocHost(void **pointer, size_t size);
cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags);
cudaError_t cudaFreeHost(void *pointer);

/* HostMemoryAlreadyRegistered: a page of the range is pinned; HostMemoryNotRegistered: the
 * address is in no registered range; InvalidValue: it is not the start of one. */
cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void *pointer);

/* InvalidValue: memory that is not pinned, or flags not 0. */
cudaError_t cudaHostGetDevicePointer(void **address, void *pointer, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned *flags, void *pointer);

/* Managed memory. The flags are attach-global or attach-host; InvalidValue: others. Size 0 gives
 * NULL. */
cudaError_t cudaMallocManaged(void **address, size_t size, unsigned flags CUDA_DEFAULT_(0x01));

/* Memory that is neither of a device nor pinned has type 0, device -2 and its address as the host
 * pointer, and is no error. */
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer);

#endif
#endif
