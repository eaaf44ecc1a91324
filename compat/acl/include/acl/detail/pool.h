/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/pool.h - pools of device memory, whose blocks come and go in the order of streams. G2:
 * in generation 1 mode every function answers 207000, and so does RC mode.
 */
#ifndef ACL_DETAIL_POOL_H
#define ACL_DETAIL_POOL_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

/*
 * Creates a pool of the device poolProps->location that holds maxSize bytes at most; 0: as many as
 * the device gives. Needs no current context. 100000: NULL, allocType not PINNED, another kind of
 * location; 107001: no such device; 207000: a handleType, as pools are not shared, or a host
 * location; 107000: reserved bytes that are not 0.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolCreate(aclrtMemPool *memPool,
                                                const aclrtMemPoolProps *poolProps);

/* Destroys a pool, after the work that may still use what was freed. 100000: NULL; 107000: no such
 * pool, or it has blocks. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolDestroy(aclrtMemPool memPool);

/*
 * Attributes. The REUSE ones are ints, the others uint64_t:
 *   REUSE_FOLLOW_EVENT_DEPENDENCIES, REUSE_ALLOW_INTERNAL_DEPENDENCIES  1; hints without effect
 *   REUSE_ALLOW_OPPORTUNISTIC  1, cannot be set to 0 (207000): memory whose work has passed is
 *                              always reused
 *   ATTR_RELEASE_THRESHOLD     0; a synchronization of the device or a stream of it gives free
 *                              memory back while more than this is held
 *   ATTR_RESERVED_MEM_CURRENT, ATTR_USED_MEM_CURRENT  bytes held, and of them in blocks; to read
 *   ATTR_RESERVED_MEM_HIGH, ATTR_USED_MEM_HIGH        the most so far; set to 0, to begin again
 * 100000: memPool or value NULL; 107000: no such pool or attribute, or one that cannot be set so.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
                                                 void *value);
ACL_FUNC_VISIBILITY aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr,
                                                 void *value);

/*
 * A block for work that the stream is given from now on; a start and a size as of aclrtMalloc().
 * 100000: devPtr or memPool NULL, size 0; the stream's errors (acl/detail/stream.h); 107000: no
 * such pool, or of another device than the stream's; 207001: out of memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolMallocAsync(void **devPtr, size_t size,
                                                     aclrtMemPool memPool, aclrtStream stream);

/*
 * Frees a block after the work that the stream has been given so far. 100000: NULL; the stream's
 * errors; 107000: no block of a pool starts there, freed ones included.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolFreeAsync(void *devPtr, aclrtStream stream);

/* Gives free memory back to the device until minBytesToKeep are held; what streams may still use
 * stays. 100000: NULL; 107000: no such pool. */
ACL_FUNC_VISIBILITY aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

ACL_EXTERN_C_END
#endif
