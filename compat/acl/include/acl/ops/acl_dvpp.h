/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/ops/acl_dvpp.h - media memory, as the first generation of media functions allocates it. The
 * functions that work on pictures are not here.
 */
#ifndef ACL_OPS_ACL_DVPP_H
#define ACL_OPS_ACL_DVPP_H

#include <acl/acl.h>

ACL_EXTERN_C_BEGIN

/*
 * Allocates media memory of the current context's device: huge pages, a start that is a multiple of
 * 128, the size rounded up to a multiple of 32 and 32 more, on every chip. 100000: devPtr NULL,
 * size 0, a size that cannot be padded; 107002; 207001: no huge pages are left.
 */
ACL_FUNC_VISIBILITY aclError acldvppMalloc(void **devPtr, size_t size);

/* The same, with the pages and the configuration of aclrtMallocWithCfg(), and its errors. */
ACL_FUNC_VISIBILITY aclError acldvppMallocWithCfg(void **devPtr, size_t size,
                                                  aclrtMemMallocPolicy policy,
                                                  aclrtMallocConfig *cfg);

/*
 * Frees what the two above returned, and nothing else, without waiting for streams. 100000: NULL;
 * 107000: not the start of such memory, or freed already.
 */
ACL_FUNC_VISIBILITY aclError acldvppFree(void *devPtr);

ACL_EXTERN_C_END
#endif
