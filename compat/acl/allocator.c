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

static struct desc *new_desc(const struct allocator *allocator) {
    struct desc *desc = (struct desc *)calloc(1, sizeof *desc);
    if (desc != NULL) {
        desc->allocator = *allocator;
        if (tn_face_handle_new(&desc->face, TN_ACL_ALLOCATOR, desc_destroy)) return desc;
        free(desc);
    }
    (void)tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for an allocator's description");
    return NULL;
}

static aclError get_desc(aclrtAllocatorDesc handle, struct desc **desc) {
    *desc = (struct desc *)tn_face_handle_get((uintptr_t)handle, TN_ACL_ALLOCATOR);
    return *desc != NULL ? ACL_SUCCESS
                         : tn_acl_fail(ACL_ERROR_INVALID_PARAM,
                                       "%p is not a description of an allocator", handle);
}

// ---- descriptions

static aclError create_desc(aclrtAllocatorDesc *handle) {
    const struct desc *desc = new_desc(&(const struct allocator){.object = NULL});
    *handle = desc != NULL ? (aclrtAllocatorDesc)desc->face.handle : NULL;
    return desc != NULL ? ACL_SUCCESS : ACL_ERROR_BAD_ALLOC;
}

aclrtAllocatorDesc aclrtAllocatorCreateDesc(void) {
    aclrtAllocatorDesc handle = NULL;
    return TN_ACL_CALL(create_desc(&handle)) == ACL_SUCCESS ? handle : NULL;
}

TN_ACL_FUNCTION(aclrtAllocatorDestroyDesc, aclrtAllocatorDesc, allocatorDesc) {
    return tn_face_handle_end((uintptr_t)allocatorDesc, TN_ACL_ALLOCATOR)
               ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%p is not a description of an allocator",
                             allocatorDesc);
}

// Defines a function that stores an argument in a field of a description.
#define SETTER(name, type, field)                                                                  \
    static aclError set_##field(aclrtAllocatorDesc handle, type value) {                           \
        struct desc *desc = NULL;                                                                  \
        TN_ACL_TRY(value != NULL                                                                   \
                       ? ACL_SUCCESS                                                               \
                       : tn_acl_fail(ACL_ERROR_INVALID_PARAM, "the second argument is NULL"));     \
        TN_ACL_TRY(get_desc(handle, &desc));                                                       \
        desc->allocator.field = value;                                                             \
        tn_face_object_put(&desc->face);                                                           \
        return ACL_SUCCESS;                                                                        \
    }                                                                                              \
    aclError name(aclrtAllocatorDesc allocatorDesc, type value) {                                  \
        return TN_ACL_CALL(set_##field(allocatorDesc, value));                                     \
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
    if (*stream == NULL) {
        (void)tn_acl_fail(ACL_ERROR_INVALID_PARAM, "%p is not a stream", handle);
        return ACL_ERROR_INVALID_PARAM; // a constant, by which GCC knows that success has a stream
    }
    return ACL_SUCCESS;
}

// Makes `registration`, a handle or 0, the only one of the stream.
static void replace_registration(struct tn_acl_stream *stream, uintptr_t registration) {
    uintptr_t before = atomic_exchange(&stream->allocator, registration);
    (void)tn_face_handle_end(before, TN_ACL_ALLOCATOR);
}

static aclError register_allocator(aclrtStream handle, aclrtAllocatorDesc desc_handle) {
    TN_FACE_HELD struct tn_acl_stream *stream = NULL;
    TN_FACE_HELD struct desc *desc = NULL;
    TN_ACL_TRY(get_stream(handle, &stream));
    TN_ACL_TRY(get_desc(desc_handle, &desc));
    const struct allocator *allocator = &desc->allocator;
    TN_ACL_REFUSE(allocator->object == NULL || allocator->alloc == NULL ||
                      allocator->free == NULL || allocator->address == NULL,
                  ACL_ERROR_INVALID_PARAM,
                  "the description lacks the object, or the function for alloc, free or "
                  "the address");
    const struct desc *copy = new_desc(allocator);
    if (copy == NULL) return ACL_ERROR_BAD_ALLOC;
    replace_registration(stream, copy->face.handle);
    return ACL_SUCCESS;
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
    return TN_ACL_CALL(register_allocator(stream, allocatorDesc));
}

static aclError unregister_allocator(aclrtStream handle) {
    TN_FACE_HELD struct tn_acl_stream *stream = NULL;
    TN_ACL_TRY(get_stream(handle, &stream));
    replace_registration(stream, 0);
    return ACL_SUCCESS;
}

aclError aclrtAllocatorUnregister(aclrtStream stream) {
    return TN_ACL_CALL(unregister_allocator(stream));
}

static aclError get_registered(aclrtStream handle, aclrtAllocatorDesc *desc_handle,
                               struct allocator *found) {
    TN_FACE_HELD struct tn_acl_stream *stream = NULL;
    TN_ACL_TRY(tn_acl_check_pointer(handle, "stream"));
    TN_ACL_TRY(tn_acl_check_pointer(desc_handle, "allocatorDesc"));
    TN_ACL_TRY(get_stream(handle, &stream));
    TN_FACE_HELD struct desc *desc =
        (struct desc *)tn_face_handle_find(atomic_load(&stream->allocator), TN_ACL_ALLOCATOR);
    TN_ACL_REFUSE(desc == NULL, ACL_ERROR_INVALID_PARAM, "no allocator is registered for stream %p",
                  handle);
    *desc_handle = (aclrtAllocatorDesc)desc->face.handle;
    *found = desc->allocator;
    return ACL_SUCCESS;
}

#define WRITE(output, value)                                                                       \
    do {                                                                                           \
        if ((output) != NULL) *(output) = (value);                                                 \
    } while (0)

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc *allocatorDesc,
                                   aclrtAllocator *allocator, aclrtAllocatorAllocFunc *allocFunc,
                                   aclrtAllocatorFreeFunc *freeFunc,
                                   aclrtAllocatorAllocAdviseFunc *allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc *getAddrFromBlockFunc) {
    struct allocator found = {.object = NULL};
    aclError error = TN_ACL_CALL(get_registered(stream, allocatorDesc, &found));
    if (error == ACL_SUCCESS) {
        WRITE(allocator, found.object);
        WRITE(allocFunc, found.alloc);
        WRITE(freeFunc, found.free);
        WRITE(allocAdviseFunc, found.advise);
        WRITE(getAddrFromBlockFunc, found.address);
    }
    return error;
}
