// SPDX-License-Identifier: Apache-2.0
// See stream.h. aclrtDestroyStreamForce() does not wait, but Tarn destroys no stream that has work.
// Such a stream is retired: it goes on a list, and a later call destroys it when its work is done.
// The lock guards that list.
#include "compat/acl/stream.h"

#include <pthread.h>
#include <stdlib.h>

#include <acl/detail/stream.h>

#include "compat/acl/fork.h"
#include "compat/face/scope.h"

#define ALL_FLAGS                                                                                  \
    (ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |     \
     ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY)
// Streams that run models, or that only the device may use.
#define FOREIGN_FLAGS (ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tn_acl_stream *retired;

static void forget_retired(void) { retired = NULL; }
TN_FACE_ON_FORK(TN_ACL_LOCK_STREAM, &lock, forget_retired);

// ---- the end of a stream

// A stream that cannot be waited for here, as inside a host function, is retired too.
static void end_or_retire(struct tn_acl_stream *stream) {
    bool wait = !atomic_load_explicit(&stream->hurry, memory_order_relaxed);
    if ((wait || tarn_stream_query(stream->queue.tarn) != TARN_NOT_READY) &&
        tarn_stream_destroy(stream->queue.tarn) != TARN_BUSY) {
        free(stream);
        return;
    }
    (void)pthread_mutex_lock(&lock);
    stream->next_retired = retired;
    retired = stream;
    (void)pthread_mutex_unlock(&lock);
}

static void stream_destroy(struct tn_face_object *object) {
    struct tn_acl_stream *stream = (struct tn_acl_stream *)object;
    (void)tn_face_handle_end(stream->allocator, TN_ACL_ALLOCATOR);
    end_or_retire(stream);
}

void tn_acl_streams_sweep(void) {
    (void)pthread_mutex_lock(&lock);
    struct tn_acl_stream *list = retired;
    retired = NULL;
    (void)pthread_mutex_unlock(&lock);
    while (list != NULL) {
        struct tn_acl_stream *next = list->next_retired;
        atomic_store_explicit(&list->hurry, true, memory_order_relaxed);
        end_or_retire(list);
        list = next;
    }
}

static bool is_in_context(const struct tn_face_object *object, const void *context) {
    return ((const struct tn_acl_stream *)object)->queue.context == *(const uintptr_t *)context;
}

void tn_acl_streams_end(uintptr_t context) {
    tn_face_handle_end_all(TN_ACL_STREAM, is_in_context, &context);
}

// Takes over the reference to `found`, which may be NULL.
static aclError check_found(aclrtStream handle, uintptr_t context, struct tn_acl_stream *found,
                            struct tn_acl_stream **stream) {
    TN_ACL_REFUSE(found == NULL, ACL_ERROR_RT_PARAM_INVALID, "%p is not a stream", handle);
    if (found->queue.context != context) {
        tn_face_object_put(&found->object);
        return tn_acl_fail(ACL_ERROR_RT_STREAM_CONTEXT, "stream %p belongs to another context",
                           handle);
    }
    *stream = found;
    return ACL_SUCCESS;
}

aclError tn_acl_stream_get(aclrtStream handle, uintptr_t context, struct tn_acl_stream **stream) {
    struct tn_face_object *found = tn_face_handle_get((uintptr_t)handle, TN_ACL_STREAM);
    return check_found(handle, context, (struct tn_acl_stream *)found, stream);
}

// ---- creating

static aclError create_in(struct tn_acl_context *context, uint32_t priority, uint32_t flags,
                          aclrtStream *handle) {
    struct tn_acl_stream *stream = (struct tn_acl_stream *)calloc(1, sizeof *stream);
    TN_ACL_REFUSE(stream == NULL, ACL_ERROR_BAD_ALLOC, "out of host memory for a stream");
    stream->queue.context = context->object.handle;
    stream->device = context->device;
    aclError error = tn_acl_queue_open(&stream->queue, context->device, priority, flags);
    if (error != ACL_SUCCESS) goto err_free;
    if (!tn_face_handle_new(&stream->object, TN_ACL_STREAM, stream_destroy)) {
        error = tn_acl_fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "out of handles for a stream");
        goto err_destroy;
    }
    *handle = (aclrtStream)stream->object.handle;
    return ACL_SUCCESS;

err_destroy:
    (void)tarn_stream_destroy(stream->queue.tarn);
err_free:
    free(stream);
    return error;
}

static aclError check_config(uint32_t priority, uint32_t flag) {
    TN_ACL_REFUSE(priority >= TN_ACL_PRIORITIES, ACL_ERROR_RT_PARAM_INVALID,
                  "priority %u is greater than %d", priority, TN_ACL_PRIORITIES - 1);
    TN_ACL_REFUSE((flag & ~ALL_FLAGS) != 0, ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x is unknown",
                  flag);
    TN_ACL_REFUSE((flag & FOREIGN_FLAGS) != 0, ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "flag 0x%x: streams for models or for the device alone are not supported", flag);
    return ACL_SUCCESS;
}

static aclError create_stream(uint32_t priority, uint32_t flags, aclrtStream *handle) {
    TN_FACE_HELD struct tn_acl_context *context = NULL;
    TN_ACL_TRY(tn_acl_check_pointer(handle, "stream"));
    TN_ACL_TRY(check_config(priority, flags));
    TN_ACL_TRY(tn_acl_context_get(&context));
    tn_acl_streams_sweep();
    return create_in(context, priority, flags, handle);
}

aclError aclrtCreateStream(aclrtStream *stream) { return TN_ACL_CALL(create_stream(0, 0, stream)); }

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag) {
    return TN_ACL_CALL(create_stream(priority, flag, stream));
}

// ---- destroying

// Waits first, so that a refused wait leaves the stream as it is. A failure of its work does not
// keep the stream.
static aclError destroy_stream(aclrtStream handle, bool force) {
    struct tn_acl_context *context = NULL;
    struct tn_acl_stream *stream = NULL;
    tarn_status status = TARN_OK;
    TN_ACL_TRY(tn_acl_check_pointer(handle, "stream"));
    TN_ACL_TRY(tn_acl_context_get(&context));
    struct tn_face_object *found = tn_face_handle_find((uintptr_t)handle, TN_ACL_STREAM);
    aclError error =
        check_found(handle, context->object.handle, (struct tn_acl_stream *)found, &stream);
    tn_acl_context_put(context);
    if (error != ACL_SUCCESS) {
        tn_face_handle_refuse((uintptr_t)handle);
        return error;
    }
    if (force)
        atomic_store_explicit(&stream->hurry, true, memory_order_relaxed);
    else
        status = tarn_stream_synchronize(stream->queue.tarn, TARN_FOREVER);
    if (status == TARN_BUSY)
        error = tn_acl_status(status);
    else
        (void)tn_face_handle_end((uintptr_t)handle, TN_ACL_STREAM);
    tn_face_object_put(&stream->object);
    tn_acl_streams_sweep();
    return error;
}

aclError aclrtDestroyStream(aclrtStream stream) {
    return TN_ACL_CALL(destroy_stream(stream, false));
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
    return TN_ACL_CALL(destroy_stream(stream, true));
}
