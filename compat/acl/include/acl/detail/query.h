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
 * Start and effective size of the allocation, or the mapping, that holds `ptr`. 100000: NULL;
 * 107000: none does. Needs no context.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);

ACL_EXTERN_C_END
#endif
