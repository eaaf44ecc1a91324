/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/ops/acl_dvpp.h - media memory as the first generation of media functions allocates it. The
 * functions that process images are absent.
 */
#ifndef ACL_OPS_ACL_DVPP_H
#define ACL_OPS_ACL_DVPP_H

#include <acl/acl.h>

ACL_EXTERN_C_BEGIN

/*
 * Allocates media memory of the current context's device in huge pages. On every chip the start is
 * a multiple of 128, and the size is rounded up to a multiple of 32 and padded by 32. 100000 if
 * devPtr is NULL or size is 0 or too large to be padded; 107002; 207001 if no huge pages are left.
 */
aclError acldvppMalloc(void **devPtr, size_t size);

/*
 * Same as acldvppMalloc(), with the policy and configuration of aclrtMallocWithCfg() and its
 * errors.
 */
aclError acldvppMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                              aclrtMallocConfig *cfg);

/*
 * Frees memory of the two functions above without waiting for streams. 100000 if devPtr is NULL;
 * 107000 if it is not the start of such memory or is freed already.
 */
aclError acldvppFree(void *devPtr);

ACL_EXTERN_C_END
#endif
