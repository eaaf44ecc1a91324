/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/query.h - what memory is, and how much of it there is.
 */
#ifndef ACL_DETAIL_QUERY_H
#define ACL_DETAIL_QUERY_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Bytes of the current context's device: free, and all. The device has one memory, which HBM and
 * DDR both name and which pages of every size come out of: ..._NORMAL is told like the whole of it,
 * ..._HUGE and ..._HUGE1G as far as whole pages go into it, 0 of 0 where there are no such pages.
 * 100000: NULL; 107016: not one of aclrtMemAttr (in generation 1 its values end at 11); 107002.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

/*
 * Who uses a device: one record for each module that ever did, at most inputNum of them, in the
 * order in which they came; *outputNum is how many. "module N" is the memory with that MODULE_ID,
 * "acl" that with none, "media" that of the media allocators; bytes are whole pages. Memory of
 * aclrtMallocPhysical() and of pools is not counted. 100000: NULL, inputNum 0; 107002; 107001: no
 * such device.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo,
                                                  size_t inputNum, size_t *outputNum);

/* Memory with uncorrectable errors: there is none, *retSize is 0. 100000: NULL, arraySize 0;
 * 107001: no such device. */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray,
                                                size_t arraySize, size_t *retSize);

/*
 * What any number is. Memory of aclrtMallocHost(), and registered memory: HOST, id 0. Device
 * memory, mapped addresses, media memory: DEVICE and which; managed memory: MANAGED. pageSize is
 * that of the pages asked for, of host memory the system's. What nobody told AscendCL of:
 * UNREGISTERED, pageSize 0. 100000: NULL; 107000: an address of devices where nothing is (any
 * more). Needs no context.
 */
ACL_FUNC_VISIBILITY aclError aclrtPointerGetAttributes(const void *ptr,
                                                       aclrtPtrAttributes *attributes);

/*
 * Whether all `size` addresses are of one of the types: *checkResult is 1 or 0. DVPP: media memory;
 * RSVD: reserved addresses, mapped or not; DEV: other device memory. 100000: NULL, size 0, no type
 * or an unknown one, reserve not 0.
 */
ACL_FUNC_VISIBILITY aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType,
                                               uint32_t *checkResult, uint32_t reserve);

/*
 * Start and effective size of the allocation, or the mapping, that holds `ptr`. 100000: NULL;
 * 107000: none does. Needs no context.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);

ACL_EXTERN_C_END
#endif
