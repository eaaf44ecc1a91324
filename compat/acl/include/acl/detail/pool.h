/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/pool.h - pools of device memory, whose blocks are allocated and freed in stream
 * order. Since generation 2: all functions return 207000 in generation 1 mode and in RC mode.
 */
#ifndef ACL_DETAIL_POOL_H
#define ACL_DETAIL_POOL_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Creates a pool of the device poolProps->location. The pool holds maxSize bytes at most; 0 means
 * no limit. Needs no current context. 100000 if an argument is NULL, allocType is not PINNED, or
 * the kind of location is unknown; 107001 if the device does not exist; 207000 for a handleType,
 * because pools are not shared, or for the host; 107000 if a reserved byte is not 0.
 */
aclError aclrtMemPoolCreate(aclrtMemPool *memPool, const aclrtMemPoolProps *poolProps);

/*
 * Destroys a pool, after the work that may still use freed blocks. 100000 if memPool is NULL;
 * 107000 if the pool does not exist or has live blocks.
 */
aclError aclrtMemPoolDestroy(aclrtMemPool memPool);

/*
 * Sets or reads an attribute. The REUSE attributes are ints, the others uint64_t:
 *   REUSE_FOLLOW_EVENT_DEPENDENCIES, REUSE_ALLOW_INTERNAL_DEPENDENCIES: 1; hints without effect
 *   REUSE_ALLOW_OPPORTUNISTIC: 1; setting 0 is 207000, because memory whose work has passed is
 *     always reused
 *   ATTR_RELEASE_THRESHOLD: 0; a synchronisation of the device or one of its streams releases free
 *     memory while the pool holds more than this
 *   ATTR_RESERVED_MEM_CURRENT, ATTR_USED_MEM_CURRENT: bytes held, and bytes of them in blocks;
 *     read only
 *   ATTR_RESERVED_MEM_HIGH, ATTR_USED_MEM_HIGH: the peaks of these; setting 0 resets a peak
 * 100000 if an argument is NULL; 107000 if the pool or the attribute does not exist, or the
 * attribute cannot be set to the value.
 */
aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);
aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);

/*
 * Allocates a block for work that the stream receives from now on. Start and size follow the rules
 * of aclrtMalloc(). 100000 if an argument is NULL or size is 0; the stream's errors
 * (acl/detail/stream.h); 107000 if the pool does not exist or is of another device than the
 * stream; 207001.
 */
aclError aclrtMemPoolMallocAsync(void **devPtr, size_t size, aclrtMemPool memPool,
                                 aclrtStream stream);

/*
 * Frees a block after the work that the stream has received so far. 100000 if devPtr is NULL; the
 * stream's errors; 107000 if no live block of a pool starts there.
 */
aclError aclrtMemPoolFreeAsync(void *devPtr, aclrtStream stream);

/*
 * Releases free memory to the device until the pool holds minBytesToKeep. Memory that streams may
 * still use stays. 100000 if memPool is NULL; 107000 if the pool does not exist.
 */
aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

ACL_EXTERN_C_END
#endif
