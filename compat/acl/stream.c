// SPDX-License-Identifier: Apache-2.0
// See stream.h. aclrtDestroyStreamForce() does not wait, but Tarn destroys no stream that has work.
// Such a stream is retired: it goes on a list, and a later call destroys it when its work is done.
// The lock guards that list.
#include "compat/acl/stream.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <acl/detail/stream.h>

#include "compat/acl/fork.h"
#include "compat/face/scope.h"
#include "src/base/list.h"

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
    if ((wait || tarn_stream_peek(stream->queue.tarn) != TARN_NOT_READY) &&
        tarn_stream_destroy(stream->queue.tarn) != TARN_BUSY) {
        free(stream);
        return;
    }
    TN_FACE_LOCKED(&lock);
    stream->next_retired = retired;
    retired = stream;
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
    TN_CHAIN_DRAIN(struct tn_acl_stream, stream, list, next_retired) {
        atomic_store_explicit(&stream->hurry, true, memory_order_relaxed);
        end_or_retire(stream);
    }
}

static bool is_in_context(const struct tn_face_object *object, const void *context) {
    return ((const struct tn_acl_queue *)object)->context == *(const uintptr_t *)context;
}

void tn_acl_streams_end(uintptr_t context) {
    tn_face_handle_end_all(TN_ACL_STREAM, is_in_context, &context);
}

aclError tn_acl_stream_check(const struct tn_acl_stream *found, aclrtStream handle,
                             uintptr_t context) {
    TN_ACL_INVALID(found == NULL, "%p is not a stream", handle);
    TN_ACL_REFUSE(found->queue.context != context, ACL_ERROR_RT_STREAM_CONTEXT,
                  "stream %p belongs to another context", handle);
    return ACL_SUCCESS;
}

// ---- creating

static aclError create_stream(uint32_t priority, uint32_t flag, aclrtStream *stream) {
    struct tn_acl_queue *queue = NULL;
    TN_ACL_POINTER(stream);
    if ((flag & ALL_FLAGS) == 0) flag = 0; // CANN's documents: other values make ordinary streams
    TN_ACL_INVALID((flag & ~ALL_FLAGS) != 0, "flag 0x%x is known in part only", flag);
    TN_ACL_UNSUPPORTED((flag & FOREIGN_FLAGS) != 0,
                       "flag 0x%x: streams for models or for the device alone are not supported",
                       flag);
    if (priority >= TN_ACL_PRIORITIES)
        priority = priority == UINT32_MAX ? 0 : TN_ACL_PRIORITIES - 1; // as CANN 9.1's runtime
    TN_ACL_GET(tn_acl_queue, context, tn_acl_context_get(&context));
    tn_acl_streams_sweep();
    const struct tn_acl_queue like = {
        .device = context->device, .context = context->object.handle, .flags = flag};
    TN_ACL_TRY(tn_acl_queue_new(TN_ACL_STREAM, sizeof(struct tn_acl_stream), stream_destroy, &like,
                                priority, &queue));
    *stream = (aclrtStream)queue->object.handle;
    tn_face_object_put(&queue->object);
    return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream *stream) { return TN_ACL_CALL(create_stream(0, 0, stream)); }

TN_ACL_ROW(aclrtCreateStreamWithConfig, TN_FACE_EXPRESSION(create_stream(priority, flag, stream)),
           aclrtStream *, stream, uint32_t, priority, uint32_t, flag)

// ---- the configuration of a stream

aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void) {
    aclrtStreamConfigHandle *handle = (aclrtStreamConfigHandle *)calloc(1, sizeof *handle);
    (void)TN_ACL_CALL(handle != NULL
                          ? ACL_SUCCESS
                          : tn_acl_fail(ACL_ERROR_BAD_ALLOC, "out of host memory for a handle"));
    return handle;
}

TN_ACL_FUNCTION(aclrtDestroyStreamConfigHandle, aclrtStreamConfigHandle *, handle) {
    TN_ACL_POINTER(handle);
    free(handle);
    return ACL_SUCCESS;
}

TN_ACL_FUNCTION(aclrtSetStreamConfigOpt, aclrtStreamConfigHandle *, handle, aclrtStreamConfigAttr,
                attr, const void *, attrValue, size_t, valueSize) {
    static const struct {
        size_t offset, size;
    } members[] = {
#define MEMBER(name)                                                                               \
    {offsetof(aclrtStreamConfigHandle, name), sizeof(((aclrtStreamConfigHandle *)0)->name)}
        [ACL_RT_STREAM_WORK_ADDR_PTR] = MEMBER(workptr),
        [ACL_RT_STREAM_WORK_SIZE] = MEMBER(workSize),
        [ACL_RT_STREAM_FLAG] = MEMBER(flag),
        [ACL_RT_STREAM_PRIORITY] = MEMBER(priority)};
    TN_ACL_POINTERS(handle, attrValue);
    TN_ACL_ARGUMENT((unsigned)attr > ACL_RT_STREAM_PRIORITY, "attr %d is not one of 0 to 3",
                    (int)attr);
    TN_ACL_ARGUMENT(valueSize != members[attr].size, "valueSize %zu: attribute %d has %zu bytes",
                    valueSize, (int)attr, members[attr].size);
    memcpy((char *)handle + members[attr].offset, attrValue, valueSize);
    return ACL_SUCCESS;
}

static aclError create_configured(aclrtStream *stream, const aclrtStreamConfigHandle *handle) {
    TN_ACL_POINTERS(stream, handle);
    TN_ACL_INVALID(handle->flag > UINT32_MAX, "flag 0x%zx is unknown", handle->flag);
    return create_stream(handle->priority, (uint32_t)handle->flag, stream);
}

TN_ACL_ROW(aclrtCreateStreamV2, create_configured, aclrtStream *, stream,
           const aclrtStreamConfigHandle *, handle)

// ---- destroying

// Waits first, so that a refused wait leaves the stream as it is. A failure of its work does not
// keep the stream.
static aclError destroy_stream(aclrtStream stream, bool force) {
    TN_ACL_POINTER(stream);
    TN_ACL_GET(tn_acl_queue, context, tn_acl_context_get(&context));
    struct tn_acl_stream *found =
        (struct tn_acl_stream *)tn_face_handle_find((uintptr_t)stream, TN_ACL_STREAM);
    aclError error = tn_acl_stream_check(found, stream, context->object.handle);
    if (error != ACL_SUCCESS) {
        tn_face_handle_refuse((uintptr_t)stream);
    } else if (force) {
        atomic_store_explicit(&found->hurry, true, memory_order_relaxed);
    } else {
        tarn_status status = tarn_stream_synchronize(found->queue.tarn, TARN_FOREVER);
        if (status == TARN_BUSY) error = tn_acl_status(status);
    }
    if (error == ACL_SUCCESS) (void)tn_face_handle_end((uintptr_t)stream, TN_ACL_STREAM);
    if (found != NULL) tn_face_object_put(&found->queue.object);
    tn_acl_streams_sweep();
    return error;
}

TN_ACL_ROW(aclrtDestroyStream, TN_FACE_EXPRESSION(destroy_stream(stream, false)), aclrtStream,
           stream)

TN_ACL_ROW(aclrtDestroyStreamForce, TN_FACE_EXPRESSION(destroy_stream(stream, true)), aclrtStream,
           stream)
