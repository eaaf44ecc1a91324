/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/vmm.h - virtual memory management: addresses and memory apart.
 *
 * Reserve addresses, create physical memory, map the one to the other. None of these calls needs a
 * current context or waits for streams. In RC mode all of them answer 207000, and so do in
 * generation 1 mode those marked G2. The unit of sizes and addresses is 2 MiB, 1 GiB for memory of
 * the HUGE1G attributes.
 */
#ifndef ACL_DETAIL_VMM_H
#define ACL_DETAIL_VMM_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * The unit in which memory like `prop` is created: 2 MiB for both options, 1 GiB for the HUGE1G
 * attributes. Only the attribute is looked at. 100000: NULL, or an attribute that physical memory
 * cannot have (0, 1, 8, 9, 11; in generation 1 mode 12 and more); 207000: another option.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
                                                              aclrtMemGranularityOptions option,
                                                              size_t *granularity);

/*
 * Reserves addresses, from 1 byte on, rounded up to 2 MiB. The start is a multiple of 2 MiB, of
 * 1 GiB for 1 GiB and more. `expectPtr` is NULL or a wish: a multiple of 2 MiB, for more than that
 * of the next power of two, for more than 512 MiB of 1 GiB; elsewhere if it is taken. `flags` 0 and
 * 1 are the same. 100000: virPtr NULL, size 0, other flags; 107000: alignment not 0, expectPtr not
 * aligned; 207001: no such range is free. ...NoUCMemory() (G2) is the same.
 */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment,
                                                    void *expectPtr, uint64_t flags);
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size,
                                                              size_t alignment, void *expectPtr,
                                                              uint64_t flags);

/* Gives a reservation back. 100000: NULL; 107000: none starts there, or it has mappings. */
ACL_FUNC_VISIBILITY aclError aclrtReleaseMemAddress(void *virPtr);

/*
 * Creates physical memory: of a device, with HBM or general attributes, or of the host (id 0, or a
 * node of HOST_NUMA), with any. It has one reference; each import and retain adds one. Contents are
 * undefined. In this order: 100000: handle or prop NULL, size 0, flags not 0, handleType not NONE,
 * allocationType not PINNED, no such location, an attribute that it cannot have; 107001: no such
 * device or node; 207000: host with another id; 107000: reserve not 0; 507899: size not a multiple
 * of 2 MiB (with HUGE1G it is rounded up to 1 GiB instead); 207001: out of memory; 207000 also:
 * 1 GiB pages, or memory of the host, that the platform does not have.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
                                                 const aclrtPhysicalMemProp *prop, uint64_t flags);

/* Drops a reference; mappings keep the memory until they go. 100000: NULL; 107000: there is none
 * left to drop. */
ACL_FUNC_VISIBILITY aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/*
 * Maps all of the memory at an address inside a reservation, and lets its own device (or the host)
 * read and write there. Memory may be mapped at many places. A reservation takes memory of one
 * device only, or of the host only, and not own beside imported: the first one it gets decides, for
 * good. 100000: virPtr or handle NULL, size 0, flags not 0; 107000: offset not 0, no such handle;
 * 507899: size is not the memory's, address not a multiple of the unit, not in one reservation, in
 * one of another device, overlapping a mapping. ...NoAccess() (G2) lets nobody in.
 */
ACL_FUNC_VISIBILITY aclError aclrtMapMem(void *virPtr, size_t size, size_t offset,
                                         aclrtDrvMemHandle handle, uint64_t flags);
ACL_FUNC_VISIBILITY aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset,
                                                 aclrtDrvMemHandle handle, uint64_t flags);

/* Unmaps what is mapped at its first address, at once: work that still uses it fails. 100000: NULL;
 * 507899: no mapping starts there. */
ACL_FUNC_VISIBILITY aclError aclrtUnmapMem(void *virPtr);

/*
 * G2. Gives locations the right to read and write exactly one mapping, until it is unmapped. Each
 * entry is tested and takes effect before the next. 107000: virPtr or desc NULL, count 0, a host
 * with an id, another kind of location; 207000: other rights than READWRITE, or a location that the
 * platform cannot give any; 107001: no such device; 507899: not exactly a mapping.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc,
                                               size_t count);

/* G2. The rights of a location at an address: 0 or 3. 100000: NULL; 107000, 107001: the location,
 * as above; 507899: nothing is mapped there. */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location,
                                               uint64_t *flag);

/* G2. The handle that is mapped from this address on, with one more reference. 100000: NULL;
 * 507899: no mapping starts there. */
ACL_FUNC_VISIBILITY aclError aclrtMemRetainAllocationHandle(void *virPtr,
                                                            aclrtDrvMemHandle *handle);

/*
 * G2. What the memory was created with; of imported memory what its exporter created it with, as
 * far as that travels. 100000: NULL; 107000: no such handle.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle,
                                                                       aclrtPhysicalMemProp *prop);

ACL_EXTERN_C_END
#endif
