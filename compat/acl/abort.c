// SPDX-License-Identifier: Apache-2.0
// Dropping the work of a stream, or of all streams of a device, and stopping the task that a stream
// is at. The file has no state.
#include "compat/acl/order.h"

// Threads that wait for the queue see that the count has changed when they wake.
static tarn_status abort_queue(struct tn_acl_queue *queue) {
    (void)atomic_fetch_add(&queue->aborts, 1);
    tarn_status status = tarn_stream_abort(queue->tarn);
    if (status != TARN_OK) (void)atomic_fetch_sub(&queue->aborts, 1);
    return status;
}

TN_ACL_FUNCTION(aclrtStreamAbort, aclrtStream, stream) {
    TN_ACL_ORDER(order, stream);
    return tn_acl_status(abort_queue(order.queue));
}

// The task at the head sees the count when it is called again; work behind it then runs.
TN_ACL_FUNCTION(aclrtStreamStop, aclrtStream, stream) {
    TN_ACL_POINTER(stream);
    TN_ACL_ORDER(order, stream);
    (void)atomic_fetch_add(&order.queue->stops, 1);
    return ACL_SUCCESS;
}

// ---- devices

// A stream that has failed has nothing to drop.
static tarn_status abort_on(struct tn_acl_queue *queue, const void *device) {
    tarn_status status = queue->device == device ? abort_queue(queue) : TARN_OK;
    return status == TARN_DEVICE_FAILED ? TARN_OK : status;
}

TN_ACL_FUNCTION(aclrtDeviceTaskAbort, int32_t, deviceId, uint32_t, timeout) {
    TN_ACL_DEVICE(device, tn_acl_open_device(deviceId, &device));
    TN_ACL_TRY(tn_acl_status(tn_acl_queue_walk(abort_on, device)));
    int32_t limit = timeout == 0 ? -1 : timeout > INT32_MAX ? INT32_MAX : (int32_t)timeout;
    tarn_status status = tarn_device_synchronize(device->tarn, tn_acl_wait_limit(limit));
    return tn_acl_wait_result(status, limit, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
}
