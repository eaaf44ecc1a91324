/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/user_object.h - user objects: resources of a program that live as long as the graphs
 * that use them.
 *
 * A user object counts references. Some belong to the program, some to graphs. When the last one is
 * released, destroy(data) is called, on the thread that released it. It must not call HIP.
 * A graph gives its references back when it is destroyed. A clone and an executable graph have
 * references of their own. Those of an executable graph whose launch runs are released behind the
 * launch, which may use the resources, by a thread of the library.
 *
 * An unknown or ended object, and the release of more references than there are, is success, and
 * nothing is done. A count is 1 to 2^31-1, else hipErrorInvalidValue.
 */
#ifndef HIP_DETAIL_USER_OBJECT_H
#define HIP_DETAIL_USER_OBJECT_H

#include <hip/detail/graph.h>

typedef struct hipUserObject *hipUserObject_t;

typedef enum hipUserObjectFlags {
    hipUserObjectNoDestructorSync = 0x1 /* required: no call waits for the destructor */
} hipUserObjectFlags;

typedef enum hipUserObjectRetainFlags {
    hipGraphUserObjectMove = 0x1 /* the references are taken from the program */
} hipUserObjectRetainFlags;

HIP_EXTERN_C_BEGIN

/* Makes an object with a number of references. hipErrorInvalidValue: an argument NULL except ptr;
 * flags not 1; the count. hipErrorOutOfMemory. */
HIP_API hipError_t hipUserObjectCreate(hipUserObject_t *object_out, void *ptr, hipHostFn_t destroy,
                                       unsigned int initialRefcount, unsigned int flags);

/* Adds references of the program, or releases some. hipErrorInvalidValue: object NULL, the count,
 * or more than 2^31-1 references in all. */
HIP_API hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count HIP_DEFAULT(1));
HIP_API hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count HIP_DEFAULT(1));

/*
 * Gives references to a graph, also to one that a capture is making: new ones, or with
 * hipGraphUserObjectMove those of the program. hipErrorInvalidValue: NULL, not a graph, unknown
 * flags, the count, or more references than the program has; hipErrorOutOfMemory.
 */
HIP_API hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object,
                                            unsigned int count HIP_DEFAULT(1),
                                            unsigned int flags HIP_DEFAULT(0));

/* Releases references of a graph. hipErrorInvalidValue: NULL, not a graph, the count. */
HIP_API hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object,
                                             unsigned int count HIP_DEFAULT(1));

HIP_EXTERN_C_END
#endif
