// SPDX-License-Identifier: Apache-2.0
// See stream_call.h. While a subscriber exists, a function is enqueued inside a record, which emits
// when it begins and ends and on which thread. The records of a stream are in a list, because a
// stream that failed drops its work; they are freed with the stream then. This file owns the list
// and its lock; any thread.
#include "core/work/stream_call.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/lock.h"
#include "core/platform/notify.h"

struct tn_host_call {
    struct tn_host_call *next;
    struct tn_host_call **link; // points to this record
    struct tarn_device *device;
    uint64_t stream;
    void (*fn)(void *);
    void *arg;
};

// The last rank: no call is made under it.
static struct tn_mutex lock = TN_MUTEX(ANNOTATE, "host functions");

static void unlink_and_free(struct tn_host_call *call) {
    tn_mutex_lock(&lock);
    *call->link = call->next;
    if (call->next != NULL) call->next->link = call->link;
    tn_mutex_unlock(&lock);
    free(call);
}

static void run_and_emit(void *arg) {
    struct tn_host_call *call = arg;
    const struct tn_host_call own = *call;
    unlink_and_free(call); // before the function, which may drop the last reference to the stream
    tn_emit_order(TN_MEM_CALL_BEGIN, own.device, own.stream, 0);
    own.fn(own.arg);
    tn_emit_order(TN_MEM_CALL_END, own.device, own.stream, 0);
}

void tn_host_call_drop_all(struct tn_stream_or_event *stream) {
    while (stream->calls != NULL)
        unlink_and_free(stream->calls);
}

tarn_status tn_host_call_enqueue(struct tn_stream_or_event *stream, void (*fn)(void *), void *arg) {
    struct tn_platform *platform = stream->device->platform;
    if (!tn_subscribed()) return platform->ops->stream_call(platform->p, stream->backend, fn, arg);
    struct tn_host_call *call = malloc(sizeof *call);
    TN_REFUSE(call == NULL, TARN_NO_HOST_MEMORY, "no memory for the record of a host function");
    *call = (struct tn_host_call){NULL, &stream->calls, stream->device, stream->id, fn, arg};
    tn_mutex_lock(&lock);
    call->next = stream->calls;
    if (call->next != NULL) call->next->link = &call->next;
    stream->calls = call;
    tn_mutex_unlock(&lock);
    tarn_status status =
        platform->ops->stream_call(platform->p, stream->backend, run_and_emit, call);
    if (status != TARN_OK) unlink_and_free(call);
    return status;
}

// ---- conditions

// A condition is always called a last time, so its record needs no list.
struct condition {
    struct tarn_device *device;
    uint64_t stream;
    tarn_status (*passed)(void *arg, bool dropped);
    void *arg;
};

static tarn_status poll_and_emit(void *arg, bool dropped) {
    struct condition *condition = arg;
    const struct condition own = *condition;
    tn_emit_order(TN_MEM_CALL_BEGIN, own.device, own.stream, 0);
    tarn_status status = own.passed(own.arg, dropped);
    tn_emit_order(TN_MEM_CALL_END, own.device, own.stream, 0);
    if (dropped || status != TARN_NOT_READY) free(condition);
    return status;
}

tarn_status tn_condition_enqueue(struct tn_stream_or_event *stream,
                                 tarn_status (*passed)(void *arg, bool dropped), void *arg) {
    struct tn_platform *platform = stream->device->platform;
    if (!tn_subscribed())
        return platform->ops->stream_wait_until(platform->p, stream->backend, passed, arg);
    struct condition *condition = malloc(sizeof *condition);
    TN_REFUSE(condition == NULL, TARN_NO_HOST_MEMORY, "no memory for the record of a condition");
    *condition = (struct condition){stream->device, stream->id, passed, arg};
    tn_emit_order(TN_MEM_CONDITION, stream->device, stream->id, 0);
    tarn_status status =
        platform->ops->stream_wait_until(platform->p, stream->backend, poll_and_emit, condition);
    if (status != TARN_OK) free(condition);
    return status;
}
