// SPDX-License-Identifier: Apache-2.0
// Allocators of the program. A description is an object with a handle. The registration of a stream
// is a description of its own, which the stream's queue names; so stale names are refused. Writes
// to a description are not synchronised with its other uses, as in AscendCL.
#include <acl/detail/allocator.h>

#include <stdlib.h>

#include "compat/acl/stream.h"
#include "compat/face/scope.h"

struct allocator {
    aclrtAllocator object;
    aclrtAllocatorAllocFunc alloc;
    aclrtAllocatorFreeFunc free;
    aclrtAllocatorAllocAdviseFunc advise;
    aclrtAllocatorGetAddrFromBlockFunc address;
};

struct desc {
    struct tn_face_object face; // first
    struct allocator allocator;
};

static void desc_destroy(struct tn_face_object *object) { free(object); }

static aclError new_desc(const struct allocator *allocator, uintptr_t *handle) {
    struct desc *desc = (struct desc *)calloc(1, sizeof *desc);
    if (desc != NULL) desc->allocator = *allocator;
    if (desc == NULL || !tn_face_handle_new(&desc->face, TN_ACL_ALLOCATOR, desc_destroy)) {
        free(desc);
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC,
                           "out of host memory for an allocator's description");
    }
    *handle = desc->face.handle;
    return ACL_SUCCESS;
}

static aclError get_desc(aclrtAllocatorDesc handle, struct desc **desc) {
    *desc = (struct desc *)tn_face_handle_get((uintptr_t)handle, TN_ACL_ALLOCATOR);
    TN_ACL_ARGUMENT(*desc == NULL, "%p is not a description of an allocator", handle);
    return ACL_SUCCESS;
}

// ---- descriptions

aclrtAllocatorDesc aclrtAllocatorCreateDesc(void) {
    const struct allocator none = {.object = NULL};
    uintptr_t handle = 0;
    (void)TN_ACL_CALL(new_desc(&none, &handle));
    return (aclrtAllocatorDesc)handle;
}

TN_ACL_FUNCTION(aclrtAllocatorDestroyDesc, aclrtAllocatorDesc, allocatorDesc) {
    TN_ACL_ARGUMENT(!tn_face_handle_end((uintptr_t)allocatorDesc, TN_ACL_ALLOCATOR),
                    "%p is not a description of an allocator", allocatorDesc);
    return ACL_SUCCESS;
}

// Defines a function that stores an argument in a field of a description.
#define SETTER(name, type, field)                                                                  \
    TN_ACL_FUNCTION(name, aclrtAllocatorDesc, allocatorDesc, type, value) {                        \
        TN_FACE_HELD struct desc *desc = NULL;                                                     \
        TN_ACL_TRY(tn_acl_check_pointer((const void *)(uintptr_t)value, "the second argument"));   \
        TN_ACL_TRY(get_desc(allocatorDesc, &desc));                                                \
        desc->allocator.field = value;                                                             \
        return ACL_SUCCESS;                                                                        \
    }

SETTER(aclrtAllocatorSetObjToDesc, aclrtAllocator, object)
SETTER(aclrtAllocatorSetAllocFuncToDesc, aclrtAllocatorAllocFunc, alloc)
SETTER(aclrtAllocatorSetFreeFuncToDesc, aclrtAllocatorFreeFunc, free)
SETTER(aclrtAllocatorSetAllocAdviseFuncToDesc, aclrtAllocatorAllocAdviseFunc, advise)
SETTER(aclrtAllocatorSetGetAddrFromBlockFuncToDesc, aclrtAllocatorGetAddrFromBlockFunc, address)

// ---- registrations

static aclError get_stream(aclrtStream handle, struct tn_acl_stream **stream) {
    TN_ACL_TRY(tn_acl_check_pointer(handle, "stream"));
    *stream = (struct tn_acl_stream *)tn_face_handle_get((uintptr_t)handle, TN_ACL_STREAM);
    TN_ACL_ARGUMENT(*stream == NULL, "%p is not a stream", handle);
    return ACL_SUCCESS;
}

// Makes `registration`, a handle or 0, the only one of the stream.
static void replace_registration(struct tn_acl_stream *stream, uintptr_t registration) {
    uintptr_t before = atomic_exchange(&stream->allocator, registration);
    (void)tn_face_handle_end(before, TN_ACL_ALLOCATOR);
}

TN_ACL_FUNCTION(aclrtAllocatorRegister, aclrtStream, stream, aclrtAllocatorDesc, allocatorDesc) {
    uintptr_t registration = 0;
    TN_ACL_GET(tn_acl_stream, found, get_stream(stream, &found));
    TN_ACL_GET(desc, desc, get_desc(allocatorDesc, &desc));
    const struct allocator *allocator = &desc->allocator;
    TN_ACL_ARGUMENT(
        allocator->object == NULL || allocator->alloc == NULL || allocator->free == NULL ||
            allocator->address == NULL,
        "the description lacks the object, or the function for alloc, free or the address");
    TN_ACL_TRY(new_desc(allocator, &registration));
    replace_registration(found, registration);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtAllocatorUnregister, aclrtStream, stream) {
    TN_ACL_GET(tn_acl_stream, found, get_stream(stream, &found));
    replace_registration(found, 0);
    return ACL_SUCCESS;
}

#define WRITE(output, value)                                                                       \
    do {                                                                                           \
        if ((output) != NULL) *(output) = (value);                                                 \
    } while (0)

TN_ACL_FUNCTION(aclrtAllocatorGetByStream, aclrtStream, stream, aclrtAllocatorDesc *, allocatorDesc,
                aclrtAllocator *, allocator, aclrtAllocatorAllocFunc *, allocFunc,
                aclrtAllocatorFreeFunc *, freeFunc, aclrtAllocatorAllocAdviseFunc *,
                allocAdviseFunc, aclrtAllocatorGetAddrFromBlockFunc *, getAddrFromBlockFunc) {
    TN_ACL_POINTERS(stream, allocatorDesc);
    TN_ACL_GET(tn_acl_stream, found, get_stream(stream, &found));
    TN_FACE_HELD struct desc *desc =
        (struct desc *)tn_face_handle_find(atomic_load(&found->allocator), TN_ACL_ALLOCATOR);
    TN_ACL_ARGUMENT(desc == NULL, "no allocator is registered for stream %p", stream);
    *allocatorDesc = (aclrtAllocatorDesc)desc->face.handle;
    WRITE(allocator, desc->allocator.object);
    WRITE(allocFunc, desc->allocator.alloc);
    WRITE(freeFunc, desc->allocator.free);
    WRITE(allocAdviseFunc, desc->allocator.advise);
    WRITE(getAddrFromBlockFunc, desc->allocator.address);
    return ACL_SUCCESS;
}
