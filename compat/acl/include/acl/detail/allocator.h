/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl/detail/allocator.h - allocators of the program, registered for streams. AscendCL calls them
 * for the memory of operators and models only. Tarn has neither, so it stores and returns them.
 *
 * A program fills a description, registers it for a stream, and may destroy the description.
 * 100000 for a NULL argument, except where stated, and for a description or a stream that ended.
 */
#ifndef ACL_DETAIL_ALLOCATOR_H
#define ACL_DETAIL_ALLOCATOR_H

#include <acl/detail/types.h>

ACL_EXTERN_C_BEGIN

typedef void *aclrtAllocatorDesc;
typedef void *aclrtAllocator;
typedef void *aclrtAllocatorBlock;
typedef void *aclrtAllocatorAddr;

typedef void *(*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);
typedef void *(*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size,
                                               aclrtAllocatorAddr addr);
typedef void *(*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

/* Returns an empty description, or NULL without host memory. */
aclrtAllocatorDesc aclrtAllocatorCreateDesc(void);

/* Destroys a description. Registrations keep their own copy. */
aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc);

/* Store the allocator's object and its functions in a description. */
aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator);
aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                          aclrtAllocatorAllocFunc func);
aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                         aclrtAllocatorFreeFunc func);
aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                aclrtAllocatorAllocAdviseFunc func);
aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func);

/*
 * Registers a copy of a description for a stream, in place of an earlier one. 100000 also if the
 * object or a function other than AllocAdvise is missing. The registration ends with the stream.
 */
aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc);

/*
 * Returns what is registered for a stream. *allocatorDesc receives a handle of the registration,
 * which is valid until it is replaced or removed. Each other output may be NULL. 100000 also if
 * nothing is registered.
 */
aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc *allocatorDesc,
                                   aclrtAllocator *allocator, aclrtAllocatorAllocFunc *allocFunc,
                                   aclrtAllocatorFreeFunc *freeFunc,
                                   aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc);

/* Removes the registration of a stream. Success if there is none. */
aclError aclrtAllocatorUnregister(aclrtStream stream);

ACL_EXTERN_C_END
#endif
