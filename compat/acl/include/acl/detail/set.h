/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/set.h - filling device memory and pinned host memory. All need a current context:
 * 107002. 107000 also: pageable memory, no memory, or memory that ends before the fill does.
 */
#ifndef ACL_DETAIL_SET_H
#define ACL_DETAIL_SET_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Sets `count` bytes to the low 8 bits of `value`: at once, without waiting for streams, or in
 * stream order. In this order - count 0: done (generation 1: 107000, after the next one); 100000:
 * NULL; 107000: count above maxCount; 107002; 107003.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value,
                                         size_t count);
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value,
                                              size_t count, aclrtStream stream);

/*
 * The same with `num` words of 32 bits. 100000 also: devPtr is no multiple of 4, the words are more
 * than memSize bytes, the memory is pageable or none. Since generation 2.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32(void *devPtr, size_t memSize, uint32_t value,
                                            size_t num);
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32Async(void *devPtr, size_t memSize, uint32_t value,
                                                 size_t num, aclrtStream stream);

ACL_EXTERN_C_END
#endif
