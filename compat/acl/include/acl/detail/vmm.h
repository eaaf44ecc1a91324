/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/vmm.h - virtual memory management: addresses and physical memory are allocated apart.
 *
 * A program reserves addresses, creates physical memory and maps it there. No function needs a
 * current context or waits for streams. All functions return 207000 in RC mode; those marked G2
 * also in generation 1 mode. The unit of sizes and addresses is 2 MiB, or 1 GiB for memory of the
 * HUGE1G attributes.
 */
#ifndef ACL_DETAIL_VMM_H
#define ACL_DETAIL_VMM_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Writes the unit in which memory like `prop` is created: 2 MiB for both options, or 1 GiB for the
 * HUGE1G attributes. Only the attribute matters. 100000 if an argument is NULL or physical memory
 * cannot have the attribute (0, 1, 8, 9, 11; in generation 1 mode 12 and above); 207000 for
 * another option.
 */
aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
                                          aclrtMemGranularityOptions option, size_t *granularity);

/*
 * Reserves addresses. `size` is rounded up to 2 MiB. The start is a multiple of 2 MiB, or of 1 GiB
 * for 1 GiB and more. `expectPtr` is NULL or an address that is used if it is free: a multiple of
 * 2 MiB, for larger sizes of the next power of two, and above 512 MiB of 1 GiB. `flags` 0 and 1
 * mean the same. 100000 if virPtr is NULL, size is 0 or flags is above 1; 107000 if alignment is
 * not 0 or expectPtr is not aligned; 207001 if no such range is free. ...NoUCMemory() (G2) does
 * the same.
 */
aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr,
                                uint64_t flags);
aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size, size_t alignment,
                                          void *expectPtr, uint64_t flags);

/*
 * Releases a reservation. 100000 if virPtr is NULL; 107000 if no reservation starts there or it
 * has mappings.
 */
aclError aclrtReleaseMemAddress(void *virPtr);

/*
 * Creates physical memory: of a device, with HBM or general attributes, or of the host (id 0, or a
 * node with HOST_NUMA) with any attribute. It has one reference. Each import and each retain adds
 * one. Contents are undefined. 100000 if an argument is NULL, size is 0, flags is not 0,
 * handleType is not NONE, allocationType is not PINNED, or the location or the attribute cannot be
 * used; 107001 if the device or node does not exist; 207000 for the host with another id; 107000
 * if reserve is not 0; 507899 if size is not a multiple of 2 MiB (with HUGE1G it is rounded up to
 * 1 GiB instead); 207001; 207000 also if the platform has no pages of 1 GiB or no memory of the
 * host.
 */
aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
                             const aclrtPhysicalMemProp *prop, uint64_t flags);

/*
 * Drops a reference. Mappings keep the memory until they end. 100000 if handle is NULL; 107000 if
 * no reference is left.
 */
aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/*
 * Maps all of the memory at an address in a reservation and gives its own device, or the host, the
 * right to read and write. Memory may be mapped at several addresses. A reservation takes memory
 * of one device or of the host, and either own or imported memory; its first mapping fixes this
 * permanently. 100000 if an argument is NULL, size is 0 or flags is not 0; 107000 if offset is not
 * 0 or the handle does not exist; 507899 if size is not that of the memory, if the address is not a
 * multiple of the unit, if the range is not in one reservation or is in one for other memory, or
 * if it overlaps a mapping. ...NoAccess() (G2) gives no rights.
 */
aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags);
aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                             uint64_t flags);

/*
 * Ends the mapping that starts at the address, at once. Work that still uses it fails. 100000 if
 * virPtr is NULL; 507899 if no mapping starts there.
 */
aclError aclrtUnmapMem(void *virPtr);

/*
 * G2. Gives locations the right to read and write one complete mapping until it is unmapped. Each
 * entry is checked and takes effect before the next. 107000 if virPtr or desc is NULL, count is 0,
 * the host has an id, or the kind of location is unknown; 207000 for rights other than READWRITE,
 * or a location to which the platform cannot give any; 107001 if the device does not exist; 507899
 * if the range is not exactly one mapping.
 */
aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count);

/*
 * G2. Writes the rights of a location at an address: 0 or 3. 100000 if an argument is NULL; 107000
 * and 107001 for the location, as above; 507899 if nothing is mapped there.
 */
aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag);

/*
 * G2. Writes the handle of the memory that is mapped from this address on, with one more
 * reference. 100000 if an argument is NULL; 507899 if no mapping starts there.
 */
aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle);

/*
 * G2. Writes the properties with which the memory was created. For imported memory these are the
 * exporter's properties, if tokens contain them. 100000 if an argument is NULL; 107000 if the
 * handle does not exist.
 */
aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                   aclrtPhysicalMemProp *prop);

ACL_EXTERN_C_END
#endif
