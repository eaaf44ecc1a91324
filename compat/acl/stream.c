// SPDX-License-Identifier: Apache-2.0
// See stream.h. aclrtDestroyStreamForce() does not wait, while Tarn destroys no stream that has
// work: such streams are retired, and destroyed by whoever comes along when they are done.
#include "compat/acl/stream.h"

#include <pthread.h>
#include <stdlib.h>

#include <acl/detail/device.h>
#include <acl/detail/stream.h>

#include "compat/acl/capture.h"
#include "compat/acl/fork.h"
#include "compat/acl/pool.h"

#define PRIORITIES 8
#define ALL_FLAGS                                                                                  \
    (ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE |     \
     ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY)
// They make streams that run models, or that only the device may use.
#define FOREIGN_FLAGS (ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY)

struct stream {
    struct tn_face_object object; // first
    uintptr_t context;            // its name
    tarn_stream tarn;
    _Atomic(bool) hurry;         // destroyed by force
    struct stream *next_retired; // guarded by lock
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards the list of the retired
static struct stream *retired;

// ---- making and ending

static void retire(struct stream *stream) {
    (void)pthread_mutex_lock(&lock);
    stream->next_retired = retired;
    retired = stream;
    (void)pthread_mutex_unlock(&lock);
}

// A stream that is busy in a way that cannot be waited for here is retired as well.
static void end_or_retire(struct stream *stream) {
    bool wait = !atomic_load_explicit(&stream->hurry, memory_order_relaxed);
    if ((wait || tarn_stream_query(stream->tarn) != TARN_NOT_READY) &&
        tarn_stream_destroy(stream->tarn) != TARN_BUSY) {
        free(stream);
    } else {
        retire(stream);
    }
}

static void destroy(struct tn_face_object *object) {
    end_or_retire((struct stream *)object);
}

static void sweep_retired(void) {
    (void)pthread_mutex_lock(&lock);
    struct stream *list = retired;
    retired = NULL;
    (void)pthread_mutex_unlock(&lock);
    while (list != NULL) {
        struct stream *next = list->next_retired;
        atomic_store_explicit(&list->hurry, true, memory_order_relaxed);
        end_or_retire(list);
        list = next;
    }
}

void tn_acl_stream_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&lock);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) {
        retired = NULL;
    }
    (void)pthread_mutex_unlock(&lock);
}

static aclError make(struct tn_acl_context *context, struct stream **made) {
    struct stream *stream = (struct stream *)calloc(1, sizeof *stream);
    if (stream == NULL) {
        return tn_acl_fail(ACL_ERROR_BAD_ALLOC, "no host memory for a stream");
    }
    stream->context = context->object.handle;
    aclError error = tn_acl_from(tarn_stream_create(context->device->tarn, &stream->tarn),
                                 ACL_ERROR_RT_NO_STREAM_RESOURCE);
    if (error != ACL_SUCCESS) {
        goto err_free;
    }
    if (!tn_face_handle_new(&stream->object, TN_ACL_STREAM, destroy)) {
        error = tn_acl_fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "no room for another stream");
        goto err_destroy;
    }
    *made = stream;
    return ACL_SUCCESS;

err_destroy:
    (void)tarn_stream_destroy(stream->tarn);
err_free:
    free(stream);
    return error;
}

static aclError create(aclrtStream *handle) {
    struct tn_acl_context *context = NULL;
    struct stream *stream = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error != ACL_SUCCESS) {
        return error;
    }
    sweep_retired();
    error = make(context, &stream);
    if (error == ACL_SUCCESS) {
        *handle = (aclrtStream)stream->object.handle;
    }
    tn_acl_context_put(context);
    return error;
}

aclError aclrtCreateStream(aclrtStream *stream) {
    aclError error =
        stream == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "stream is NULL") : create(stream);
    return tn_acl_leave(error, __func__);
}

static aclError check_config(uint32_t priority, uint32_t flag) {
    if (priority >= PRIORITIES) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "priority %u, the lowest is %d", priority,
                           PRIORITIES - 1);
    }
    if ((flag & ~ALL_FLAGS) != 0) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "flag 0x%x", flag);
    }
    if ((flag & FOREIGN_FLAGS) != 0) {
        return tn_acl_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                           "flag 0x%x: no streams for models or for the device alone", flag);
    }
    return ACL_SUCCESS;
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag) {
    aclError error = stream == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "stream is NULL")
                                    : check_config(priority, flag);
    if (error == ACL_SUCCESS) {
        error = create(stream);
    }
    return tn_acl_leave(error, __func__);
}

static void close_stream(uintptr_t handle) {
    struct tn_face_object *object = tn_face_handle_close(handle, TN_ACL_STREAM);
    if (object != NULL) {
        tn_face_object_put(object);
    }
}

void tn_acl_streams_end(uintptr_t context) {
    struct tn_face_object *object;
    uint32_t cursor = 0;
    while ((object = tn_face_handle_next(TN_ACL_STREAM, &cursor)) != NULL) {
        if (((struct stream *)object)->context == context) {
            close_stream(object->handle);
        }
        tn_face_object_put(object);
    }
}

// ---- finding

static aclError get_stream(aclrtStream handle, const struct tn_acl_context *context,
                           struct stream **found) {
    struct stream *stream = (struct stream *)tn_face_handle_get((uintptr_t)handle, TN_ACL_STREAM);
    if (stream == NULL) {
        return tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no stream", handle);
    }
    if (stream->context != context->object.handle) {
        tn_face_object_put(&stream->object);
        return tn_acl_fail(ACL_ERROR_RT_STREAM_CONTEXT, "stream %p is of another context", handle);
    }
    *found = stream;
    return ACL_SUCCESS;
}

aclError tn_acl_order_get(aclrtStream stream, struct tn_acl_order *order) {
    struct stream *found = NULL;
    *order = (struct tn_acl_order){NULL, TARN_STREAM_NONE, NULL, NULL};
    aclError error = tn_acl_context_get(&order->context);
    if (error == ACL_SUCCESS && stream != NULL) {
        error = get_stream(stream, order->context, &found);
        if (error != ACL_SUCCESS) {
            tn_acl_context_put(order->context);
        }
    }
    if (error == ACL_SUCCESS) {
        order->device = order->context->device;
        order->stream = found != NULL ? found->tarn : order->context->stream;
        order->object = found != NULL ? &found->object : NULL;
    }
    return error;
}

void tn_acl_order_put(struct tn_acl_order *order) {
    if (order->object != NULL) {
        tn_face_object_put(order->object);
    }
    tn_acl_context_put(order->context);
}

aclError tn_acl_stream_check_context(aclrtStream stream) {
    aclrtContext current = NULL;
    struct stream *found = (struct stream *)tn_face_handle_get((uintptr_t)stream, TN_ACL_STREAM);
    if (found == NULL) {
        return ACL_SUCCESS;
    }
    (void)aclrtGetCurrentContext(&current);
    bool own = found->context == (uintptr_t)current;
    tn_face_object_put(&found->object);
    return own ? ACL_SUCCESS
               : tn_acl_fail(ACL_ERROR_RT_STREAM_CONTEXT, "stream %p is of another context than %p",
                             stream, current);
}

// ---- destroying

// Waits first, so that a refused wait leaves the stream as it is; an error of its work does not
// keep it.
static aclError destroy_stream(aclrtStream stream, bool force) {
    struct tn_acl_order order;
    tarn_status status = TARN_OK;
    aclError error = tn_acl_order_get(stream, &order);
    if (error != ACL_SUCCESS) {
        return error;
    }
    if (force) {
        atomic_store_explicit(&((struct stream *)order.object)->hurry, true, memory_order_relaxed);
    } else {
        status = tarn_stream_synchronize(order.stream);
    }
    if (status == TARN_BUSY) {
        error = tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
    } else {
        close_stream((uintptr_t)stream);
    }
    tn_acl_order_put(&order);
    sweep_retired();
    return error;
}

aclError aclrtDestroyStream(aclrtStream stream) {
    aclError error = stream == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "stream is NULL")
                                    : destroy_stream(stream, false);
    return tn_acl_leave(error, __func__);
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
    aclError error = stream == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "stream is NULL")
                                    : destroy_stream(stream, true);
    return tn_acl_leave(error, __func__);
}

// ---- waiting and asking

aclError tn_acl_wait_check(int32_t ms) {
    return ms >= -1 ? ACL_SUCCESS
                    : tn_acl_fail(ACL_ERROR_RT_PARAM_INVALID,
                                  "a limit of %d ms, -1 is without limit", ms);
}

uint64_t tn_acl_wait_limit(int32_t ms) {
    return ms < 0 ? TARN_FOREVER : (uint64_t)ms * 1000000;
}

aclError tn_acl_waited(tarn_status status, int32_t ms, aclError expired) {
    return status == TARN_TIMED_OUT ? tn_acl_fail(expired, "not done after %d ms", ms)
                                    : tn_acl_from(status, ACL_ERROR_RT_PARAM_INVALID);
}

static aclError synchronize(aclrtStream stream, int32_t ms) {
    struct tn_acl_order order;
    aclError error = tn_acl_order_get(stream, &order);
    if (error == ACL_SUCCESS) {
        tarn_status status = tarn_stream_synchronize_for(order.stream, tn_acl_wait_limit(ms));
        error = tn_acl_waited(status, ms, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
        tn_acl_pool_synchronized(order.device);
        tn_acl_order_put(&order);
        tn_acl_capture_sweep();
    }
    return error;
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
    return tn_acl_leave(synchronize(stream, -1), __func__);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
    aclError error = tn_acl_wait_check(timeout);
    if (error == ACL_SUCCESS) {
        error = synchronize(stream, timeout);
    }
    return tn_acl_leave(error, __func__);
}

static aclError synchronize_device(int32_t ms) {
    struct tn_acl_context *context = NULL;
    aclError error = tn_acl_context_get(&context);
    if (error == ACL_SUCCESS) {
        tarn_status status =
            tarn_device_synchronize_for(context->device->tarn, tn_acl_wait_limit(ms));
        error = tn_acl_waited(status, ms, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
        tn_acl_pool_synchronized(context->device);
        tn_acl_context_put(context);
        sweep_retired();
        tn_acl_capture_sweep();
    }
    return error;
}

aclError aclrtSynchronizeDevice(void) {
    return tn_acl_leave(synchronize_device(-1), __func__);
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
    aclError error = tn_acl_wait_check(timeout);
    if (error == ACL_SUCCESS) {
        error = synchronize_device(timeout);
    }
    return tn_acl_leave(error, __func__);
}

static aclError query(aclrtStream stream, aclrtStreamStatus *status) {
    struct tn_acl_order order;
    aclError error = tn_acl_order_get(stream, &order);
    if (error != ACL_SUCCESS) {
        return error;
    }
    tarn_status now = tarn_stream_query(order.stream);
    if (now != TARN_NOT_READY) {
        error = tn_acl_from(now, ACL_ERROR_RT_PARAM_INVALID);
    }
    if (error == ACL_SUCCESS) {
        *status = now == TARN_OK ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    }
    tn_acl_order_put(&order);
    return error;
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status) {
    aclError error = status == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "status is NULL")
                                    : query(stream, status);
    return tn_acl_leave(error, __func__);
}

// ---- functions of the program

static aclError launch(aclrtStream stream, aclrtHostFunc fn, void *args) {
    struct tn_acl_order order;
    aclError error = tn_acl_order_get(stream, &order);
    if (error == ACL_SUCCESS) {
        error = tn_acl_from(tarn_stream_call(order.stream, fn, args), ACL_ERROR_RT_PARAM_INVALID);
        tn_acl_order_put(&order);
    }
    return error;
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args) {
    aclError error =
        fn == NULL ? tn_acl_fail(ACL_ERROR_INVALID_PARAM, "fn is NULL") : launch(stream, fn, args);
    return tn_acl_leave(error, __func__);
}
