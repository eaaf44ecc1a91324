/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/set.h - fills of device memory and pinned host memory. All functions need a current
 * context: 107002. All return 107000 for pageable memory, for an address in no memory, and if the
 * memory ends before the fill does.
 */
#ifndef ACL_DETAIL_SET_H
#define ACL_DETAIL_SET_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Sets `count` bytes to the low 8 bits of `value`, at once without waiting for streams, or in
 * stream order. A count of 0 succeeds before all checks; in generation 1 it is 107000, after the
 * check for NULL. 100000 if devPtr is NULL; 107000 if count is above maxCount; 107002; 107003.
 */
aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count);
aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream);

/*
 * Sets `num` words of 32 bits in the same way. 100000 also if devPtr is not a multiple of 4, if
 * the words exceed memSize bytes, or if the memory is pageable or does not exist. Since generation
 * 2.
 */
aclError aclrtMemsetD32(void *devPtr, size_t memSize, uint32_t value, size_t num);
aclError aclrtMemsetD32Async(void *devPtr, size_t memSize, uint32_t value, size_t num,
                             aclrtStream stream);

ACL_EXTERN_C_END
#endif
