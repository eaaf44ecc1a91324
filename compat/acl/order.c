// SPDX-License-Identifier: Apache-2.0
// See order.h. Also the functions that wait for a stream or a device, or query a stream.
#include "compat/acl/order.h"

#include <acl/detail/device.h>
#include <acl/detail/stream.h>

#include "compat/acl/capture.h"
#include "compat/acl/stream.h"
#include "compat/face/scope.h"

aclError tn_acl_order_get(aclrtStream stream, struct tn_acl_order *order) {
    struct tn_acl_queue *context = NULL;
    TN_ACL_TRY(tn_acl_context_get(&context));
    *order = (struct tn_acl_order){context->device, context->tarn, context, context};
    if (stream != NULL && (uintptr_t)stream != context->object.handle) {
        struct tn_acl_stream *found =
            (struct tn_acl_stream *)tn_face_handle_get((uintptr_t)stream, TN_ACL_STREAM);
        if (found != NULL) order->queue = &found->queue;
        TN_ACL_TRY(tn_acl_stream_check(found, stream, context->object.handle));
        order->stream = found->queue.tarn;
    }
    return ACL_SUCCESS;
}

void tn_acl_order_put(struct tn_acl_order *order) {
    if (order->context == NULL) return;
    if (order->queue != order->context) tn_face_object_put(&order->queue->object);
    tn_face_object_put(&order->context->object);
}

aclError tn_acl_order_result(const struct tn_acl_order *order, tarn_status status) {
    TN_ACL_REFUSE(status == TARN_OK && order->queue->stopped, ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                  "another stream of the context stopped at a failure");
    aclError failure = status == TARN_DEVICE_FAILED
                           ? atomic_exchange(&order->queue->failure, ACL_SUCCESS)
                           : ACL_SUCCESS;
    return failure != ACL_SUCCESS ? tn_acl_fail(failure, "work of the stream failed")
                                  : tn_acl_status(status);
}

aclError tn_acl_order_check_context(aclrtStream stream) {
    TN_FACE_HELD struct tn_acl_stream *found =
        (struct tn_acl_stream *)tn_face_handle_find((uintptr_t)stream, TN_ACL_STREAM);
    return found != NULL ? tn_acl_stream_check(found, stream, tn_acl_current_context())
                         : ACL_SUCCESS;
}

// ---- waiting

aclError tn_acl_wait_check(int32_t ms) {
    TN_ACL_INVALID(ms < -1 || ms == 0, "timeout %d ms is neither -1 nor positive", ms);
    return ACL_SUCCESS;
}

uint64_t tn_acl_wait_limit(int32_t ms) { return ms < 0 ? TARN_FOREVER : (uint64_t)ms * 1000000; }

aclError tn_acl_wait_result(tarn_status status, int32_t ms, aclError expired) {
    return status == TARN_TIMED_OUT ? tn_acl_fail(expired, "the work is not done after %d ms", ms)
                                    : tn_acl_status(status);
}

static aclError synchronize_stream(aclrtStream stream, int32_t ms) {
    aclError error = ACL_SUCCESS;
    TN_ACL_TRY(tn_acl_wait_check(ms));
    TN_ACL_ORDER(order, stream);
    uint32_t aborts = order.queue->aborts;
    tarn_status status = tarn_stream_synchronize(order.stream, tn_acl_wait_limit(ms));
    if (order.queue->aborts != aborts)
        error = tn_acl_fail(ACL_ERROR_RT_STREAM_ABORT, "its work was dropped");
    else if (status == TARN_TIMED_OUT)
        error = tn_acl_wait_result(status, ms, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    else
        error = tn_acl_order_result(&order, status);
    tn_acl_capture_sweep();
    return error;
}

TN_ACL_ROW(aclrtSynchronizeStream, TN_FACE_EXPRESSION(synchronize_stream(stream, -1)), aclrtStream,
           stream)

TN_ACL_ROW(aclrtSynchronizeStreamWithTimeout, synchronize_stream, aclrtStream, stream, int32_t,
           timeout)

static aclError synchronize_device(int32_t ms) {
    TN_ACL_TRY(tn_acl_wait_check(ms));
    TN_ACL_DEVICE(device, tn_acl_current_device(&device));
    tarn_status status = tarn_device_synchronize(device->tarn, tn_acl_wait_limit(ms));
    aclError error = tn_acl_wait_result(status, ms, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    tn_acl_streams_sweep();
    tn_acl_capture_sweep();
    return error;
}

aclError aclrtSynchronizeDevice(void) { return TN_ACL_CALL(synchronize_device(-1)); }

TN_ACL_ROW(aclrtSynchronizeDeviceWithTimeout, synchronize_device, int32_t, timeout)

// ---- a query

TN_ACL_FUNCTION(aclrtStreamQuery, aclrtStream, stream, aclrtStreamStatus *, status) {
    TN_ACL_POINTER(status);
    TN_ACL_ORDER(order, stream);
    tarn_status now = tarn_stream_query(order.stream);
    if (now != TARN_NOT_READY) TN_ACL_TRY(tn_acl_order_result(&order, now));
    *status = now == TARN_OK ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return ACL_SUCCESS;
}
