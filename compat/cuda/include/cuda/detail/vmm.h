/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/vmm.h - virtual memory: physical memory that is mapped at reserved addresses. The
 * runtime has no such functions; it uses the mapped memory like other memory of the device.
 *
 * Sizes and addresses of memory are multiples of the granularity, 2 MiB. Nothing here is ordered by
 * streams: no function waits, and the program ends all uses of a mapping first.
 */
#ifdef CUDA_PICK_
#if CUDA_PICK_(1, 0)

/* ---- addresses */

/* InvalidValue: size 0 or not a multiple of the granularity, an alignment that is no power of two.
 * `address` is a wish. */
CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t size, size_t alignment,
                             CUdeviceptr address, unsigned long long flags);
/* InvalidValue: not the exact range of a reservation, or memory is mapped in it. */
CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size);

/* ---- physical memory. A handle and each mapping hold the memory. */

/* InvalidValue: a bad size, type or location; NotSupported: a handle type other than the
 * descriptor, and FABRIC without the option fabric=on of the device. */
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *properties, unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
/* A handle to the memory that is mapped at an address; it is released like others. */
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address);
CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle);

/* ---- mappings */

/* InvalidValue: outside of one reservation, or memory is mapped there; NotSupported: an offset. */
CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags);
/* InvalidValue: a part of a mapping, or a gap. */
CUresult cuMemUnmap(CUdeviceptr pointer, size_t size);
/* Rights of devices to whole mappings. The host has none to the memory of a device. */
CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc *descriptor,
                        size_t count);
CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr pointer);
/* Maps memory to parts of sparse arrays, in stream order. */
CUDA_PTSZ_(cuMemMapArrayAsync, CUarrayMapInfo *list, unsigned count, CUstream stream);

/* ---- multicast objects: memory of a team of devices behind one address. The object is mapped,
 * exported and released as memory is. Copies and fills of linear memory to the address reach the
 * bound memory of each device; plain loads and stores, which CUDA leaves undefined, reach none.
 * NotSupported: without the option fabric=on of the device. */

CUresult cuMulticastCreate(CUmemGenericAllocationHandle *handle,
                           const CUmulticastObjectProp *properties);
/* Adds a device for the life of the object. Maps and binds wait until all were added. */
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle handle, CUdevice device);
/* Bind memory of a device of the team at an offset of the object: by its handle, or by an address at
 * which it is mapped. Offsets and sizes are multiples of the granularity. An object with handle types
 * takes only memory with handle types. */
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle handle, size_t offset,
                            CUmemGenericAllocationHandle memory, size_t memory_offset, size_t size,
                            unsigned long long flags);
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle handle, size_t offset,
                             CUdeviceptr pointer, size_t size, unsigned long long flags);
/* InvalidValue: not the offset and the size of a binding. */
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle handle, CUdevice device, size_t offset,
                           size_t size);
CUresult cuMulticastGetGranularity(size_t *granularity, const CUmulticastObjectProp *properties,
                                   CUmulticastGranularity_flags option);

/* ---- other processes */

/* Writes an int, a new descriptor, which the caller closes; or a CUmemFabricHandle, which is valid
 * in processes of this user on this machine while the exporter lives. Import takes a descriptor as
 * the value of `os_handle` and does not close it, or the address of a CUmemFabricHandle. */
CUresult cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags);
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *os_handle,
                                        CUmemAllocationHandleType type);
/* NotSupported: Tarn's memory is no dma-buf. */
CUresult cuMemGetHandleForAddressRange(void *handle, CUdeviceptr address, size_t size,
                                       CUmemRangeHandleType type, unsigned long long flags);

#endif
#endif
