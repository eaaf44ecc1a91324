/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/memory.h - device memory.
 *
 * The effective size of an allocation is the requested size rounded up to a multiple of 32, plus
 * 32 bytes (TARN_ACL_PADDING) if the function pads. aclrtMemGetAddressRange() returns it. An
 * allocation takes whole pages of the device's capacity: normal pages of 4 KiB, huge pages of 2
 * MiB or giant pages of 1 GiB. Every start is a multiple of 512. Contents are undefined. No
 * function waits for streams unless its name states it. The memory belongs to the device that is
 * current at the call. All threads and contexts may use it until it is freed, even after its
 * context ends.
 *
 * Policies select the pages by the effective size. HUGE_FIRST, and every value that is not exactly
 * one constant, selects normal pages up to 1 MiB and huge pages above, or normal pages if no huge
 * pages are left. HUGE_ONLY, NORMAL_ONLY and HUGE1G_ONLY select those pages. ..._P2P selects the
 * same pages; peers can reach all memory.
 */
#ifndef ACL_DETAIL_MEMORY_H
#define ACL_DETAIL_MEMORY_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Allocates padded memory; HUGE1G_ONLY and its P2P form do not pad. 100000 if devPtr is NULL or
 * size is 0 or too large to be padded; 107002; 207000 if the device has no such pages; 207001 if
 * no such pages are left. aclrtFree() frees the memory.
 */
aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/* Same as aclrtMalloc(), without padding. */
aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/*
 * Same as aclrtMalloc(), for memory that the CPU of the device caches. 107000 if the effective
 * size is above 2^50; 207000 also if the policy is not HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY or
 * HUGE1G_ONLY.
 */
aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/*
 * Allocates memory without padding. The policy may contain a bandwidth and the read-only bit
 * beside the pages; they have no effect. `cfg` may be NULL. Its MODULE_ID names the module for
 * aclrtGetMemUsageInfo(); its DEVICE_ID must be the current device. 100000 also if cfg->attrs is
 * NULL and numAttrs is not 0; 107000 for both bandwidths, another device, or another attribute.
 */
aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig *cfg);

/* Same as aclrtMallocWithCfg(): the memory is ordinary device memory. */
aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig *cfg);

/*
 * Frees memory of the functions above or of aclrtMemAllocManaged() at once. Work that still uses
 * the memory fails, or accesses the next allocation there. Needs no context. 100000 if devPtr is
 * NULL; 107000 if it is not the start of such memory or is freed already.
 */
aclError aclrtFree(void *devPtr);

/* Same as aclrtFree(), after all work of the current context's device. 107002 also. */
aclError aclrtFreeWithDevSync(void *devPtr);

/*
 * Succeeds without any effect: no caches lie between the CPU and the device. 100000 if devPtr is
 * NULL or size is 0.
 */
aclError aclrtMemFlush(void *devPtr, size_t size);
aclError aclrtMemInvalidate(void *devPtr, size_t size);

/*
 * Same as aclrtMemFlush(), in a stream; NULL means the default stream. 107000 if the type is
 * unknown, and the codes of every function with a stream.
 */
aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream);

/* The same with barriers and with a description that device code writes. */
#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

typedef struct aclrtBarrierCmoInfo {
    aclrtCmoType cmoType;
    uint32_t barrierId;
} aclrtBarrierCmoInfo;

typedef struct aclrtBarrierTaskInfo {
    size_t barrierNum;
    aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

aclError aclrtCmoAsyncWithBarrier(void *src, size_t size, aclrtCmoType cmoType, uint32_t barrierId,
                                  aclrtStream stream);
aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream, uint32_t flag);
aclError aclrtCmoGetDescSize(size_t *size);
aclError aclrtCmoSetDesc(void *cmoDesc, void *src, size_t size);
aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
                               const void *reserve);

ACL_EXTERN_C_END
#endif
