/* SPDX-License-Identifier: Apache-2.0 */
/* acl/detail/query.h - queries about memory and its capacity. */
#ifndef ACL_DETAIL_QUERY_H
#define ACL_DETAIL_QUERY_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Writes the free and total bytes of the current context's device. The device has one memory,
 * which HBM and DDR both name and which provides pages of every size. ..._NORMAL reports all of
 * it. ..._HUGE and ..._HUGE1G report the part that whole pages fill, or 0 if there are no such
 * pages. 100000 if an argument is NULL; 107016 if attr is not one of aclrtMemAttr (in generation 1
 * the last one is 11); 107002.
 */
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

/*
 * Writes one record for each module that has ever used a device, at most inputNum records, in the
 * order in which the modules appeared. *outputNum receives their number. "module N" is memory with
 * that MODULE_ID, "acl" memory without one, and "media" memory of the media allocators. Bytes
 * count whole pages. Memory of aclrtMallocPhysical() and of pools is not counted. 100000 if an
 * argument is NULL or inputNum is 0; 107002; 107001 if the device does not exist.
 */
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum,
                              size_t *outputNum);

/*
 * Reports memory with uncorrectable errors. The devices have none, so *retSize is 0. 100000 if an
 * argument is NULL or arraySize is 0; 107001 if the device does not exist.
 */
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize,
                            size_t *retSize);

/*
 * Describes any number as an address. Memory of aclrtMallocHost() and registered memory is HOST
 * with id 0. Device memory, mapped addresses and media memory are DEVICE with its number. Managed
 * memory is MANAGED. pageSize is the size of the requested pages, or of the system's pages for
 * host memory. All memory that AscendCL does not know is UNREGISTERED with pageSize 0. 100000 if
 * an argument is NULL; 107000 for an address of devices without memory. Needs no context.
 */
aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes);

/*
 * Writes 1 if all `size` addresses are of one of the types, else 0. DVPP is media memory. RSVD is
 * reserved addresses, mapped or not. DEV is other device memory. 100000 if an argument is NULL,
 * size is 0, memType has no bit or an unknown one, or reserve is not 0.
 */
aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult,
                           uint32_t reserve);

/*
 * Writes the start and effective size of the allocation or mapping that contains `ptr`. 100000 if
 * an argument is NULL; 107000 if no allocation contains it. Needs no context.
 */
aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);

ACL_EXTERN_C_END
#endif
