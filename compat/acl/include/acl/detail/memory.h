/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/memory.h - device memory.
 *
 * What is taken is the effective size: the size asked for, rounded up to a multiple of 32, and 32
 * more (TARN_ACL_PADDING) where a function says "padded"; aclrtMemGetAddressRange() tells it. Of
 * the device's capacity that takes whole pages: normal ones of 4 KiB, huge ones of 2 MiB, giant
 * ones of 1 GiB. Every start is a multiple of 512. Contents are undefined. Nothing here waits for
 * streams unless its name says so. The memory belongs to the device that is current at the call,
 * serves all threads and contexts, and stays until it is freed, whatever becomes of the context.
 *
 * Policies choose the pages by the effective size. HUGE_FIRST, and any value that is not exactly
 * one constant: normal pages up to 1 MiB, above it huge ones, or normal ones when there are no huge
 * ones left. HUGE_ONLY, NORMAL_ONLY, HUGE1G_ONLY: those. ..._P2P: the same; all memory can be
 * reached by peers.
 */
#ifndef ACL_DETAIL_MEMORY_H
#define ACL_DETAIL_MEMORY_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Allocates, padded; with HUGE1G_ONLY and its P2P form not padded. In this order: 100000: devPtr
 * NULL, size 0, a size that cannot be padded; 107002; 207000: the device has no such pages; 207001:
 * no such pages are left. aclrtFree() frees it.
 */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/* The same, not padded. */
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void **devPtr, size_t size,
                                                aclrtMemMallocPolicy policy);

/*
 * The same as aclrtMalloc(), of memory that the CPU of the device caches. 107000: the effective
 * size is above 2^50; 207000 also: a policy other than HUGE_FIRST, HUGE_ONLY, NORMAL_ONLY and
 * HUGE1G_ONLY.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void **devPtr, size_t size,
                                               aclrtMemMallocPolicy policy);

/*
 * Not padded. The policy may have a bandwidth and the read-only bit beside the pages; they have no
 * effect. `cfg` may be NULL: MODULE_ID says whose it is for aclrtGetMemUsageInfo(), DEVICE_ID must
 * be the current device. 100000 also: cfg->attrs NULL and numAttrs not 0; 107000: both bandwidths,
 * another device, another attribute.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocWithCfg(void **devPtr, size_t size,
                                                aclrtMemMallocPolicy policy,
                                                aclrtMallocConfig *cfg);

/* The same; it is ordinary memory of the device. */
ACL_FUNC_VISIBILITY aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size,
                                                         aclrtMemMallocPolicy policy,
                                                         aclrtMallocConfig *cfg);

/*
 * Frees what the functions above, or aclrtMemAllocManaged(), returned, at once: work that still
 * uses it fails, or reaches what is allocated there next. Needs no context. 100000: NULL; 107000:
 * not the start of such memory, or freed already.
 */
ACL_FUNC_VISIBILITY aclError aclrtFree(void *devPtr);

/* The same after all work of the current context's device. 107002 also. */
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void *devPtr);

/* Nothing, successfully: there are no caches between the CPU and the device. 100000: NULL, size 0.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemFlush(void *devPtr, size_t size);
ACL_FUNC_VISIBILITY aclError aclrtMemInvalidate(void *devPtr, size_t size);

/* The same in a stream, NULL: the default one. 107000: an unknown type; and as any function with a
 * stream. */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType,
                                           aclrtStream stream);

ACL_EXTERN_C_END
#endif
