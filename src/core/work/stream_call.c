// SPDX-License-Identifier: Apache-2.0
// See stream_call.h. While a subscriber exists, a function is enqueued inside a record, which emits
// when it begins and ends and on which thread. The records of a stream are in a list, because a
// stream that failed drops its work; they are freed with the stream then. This file owns the list
// and its lock; any thread.
#include "core/work/stream_call.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/tsan.h"
#include "core/platform/notify.h"

struct tn_host_call {
    struct tn_host_call *next;
    struct tn_host_call **link; // points to this record; NULL: in no list
    struct tarn_device *device;
    uint64_t stream;
    void (*fn)(void *);                     // NULL: a function in parts
    void (*part_fn)(void *, uint64_t part); // of a function in parts
    void *arg;
    uint64_t parts;        // 1 of a function without parts
    uint64_t number;       // of the call, in its events
    _Atomic uint64_t left; // parts that have not ended; the last one to end frees the record
};

static _Atomic uint64_t last_number;

uint64_t tn_host_call_number(void) { return tn_add_relaxed(&last_number, (uint64_t)1) + 1; }

// The last rank: no call is made under it.
static struct tn_mutex lock = TN_MUTEX(ANNOTATE, "host functions");

static void link_call(struct tn_stream_or_event *stream, struct tn_host_call *call) {
    TN_TSAN_IGNORED;
    TN_LOCKED(&lock);
    TARN_ASSERT(call->link == &stream->calls && call->parts != 0);
    call->next = stream->calls;
    if (call->next != NULL) call->next->link = &call->next;
    stream->calls = call;
}

static void unlink_call(struct tn_host_call *call) {
    TN_LOCKED(&lock);
    if (call->link != NULL) {
        TARN_ASSERT(*call->link == call && (call->next == NULL || call->next->link == &call->next));
        *call->link = call->next;
        if (call->next != NULL) call->next->link = call->link;
        call->link = NULL;
    }
}

static void end_call(struct tn_host_call *call) {
    tn_emit_order(TN_MEM_CALL_PASSED, call->device, call->stream, call->number);
    free(call);
}

static void unlink_and_end(struct tn_host_call *call) {
    unlink_call(call);
    end_call(call);
}

// The record leaves the list before a part runs, which may drop the last reference to the stream.
static void run_part_and_emit(void *arg, uint64_t part) {
    struct tn_host_call *call = arg;
    TARN_ASSERT((call->fn != NULL) != (call->part_fn != NULL) && part < call->parts);
    tn_tsan_ignore(true);
    unlink_call(call);
    tn_emit_order(TN_MEM_CALL_BEGIN, call->device, call->stream, call->number);
    tn_tsan_ignore(false);
    if (call->fn != NULL)
        call->fn(call->arg);
    else
        call->part_fn(call->arg, part);
    TN_TSAN_IGNORED;
    tn_emit_order(TN_MEM_CALL_END, call->device, call->stream, 0);
    if (tn_sub_acq_rel(&call->left, (uint64_t)1) == 1) end_call(call);
}

static void run_and_emit(void *arg) { run_part_and_emit(arg, 0); }

void tn_host_call_drop_all(struct tn_stream_or_event *stream) {
    while (stream->calls != NULL) unlink_and_end(stream->calls);
}

// Makes a record and enqueues it.
static tarn_status enqueue_call(struct tn_stream_or_event *stream,
                                const struct tn_host_call *what) {
    struct tn_platform *platform = stream->device->platform;
    struct tn_host_call *call = malloc(sizeof *call);
    TN_REFUSE(call == NULL, TARN_NO_HOST_MEMORY, "no memory for the record of a host function");
    *call = *what;
    call->link = &stream->calls;
    call->device = stream->device;
    call->stream = stream->id;
    call->number = tn_host_call_number();
    call->left = call->parts;
    link_call(stream, call);
    tn_emit_order(TN_MEM_CALL_QUEUED, call->device, call->stream, call->number);
    tarn_status status =
        call->fn != NULL
            ? platform->ops->stream_call(platform->p, stream->backend, run_and_emit, call)
            : platform->ops->stream_run(platform->p, stream->backend, run_part_and_emit, call,
                                        what->parts);
    if (status != TARN_OK) unlink_and_end(call);
    return status;
}

tarn_status tn_host_call_enqueue(struct tn_stream_or_event *stream, void (*fn)(void *), void *arg) {
    struct tn_platform *platform = stream->device->platform;
    if (!tn_subscribed()) return platform->ops->stream_call(platform->p, stream->backend, fn, arg);
    return enqueue_call(stream, &(struct tn_host_call){.fn = fn, .arg = arg, .parts = 1});
}

tarn_status tn_run_enqueue(struct tn_stream_or_event *stream, void (*fn)(void *arg, uint64_t part),
                           void *arg, uint64_t parts) {
    struct tn_platform *platform = stream->device->platform;
    if (!tn_subscribed())
        return platform->ops->stream_run(platform->p, stream->backend, fn, arg, parts);
    return enqueue_call(stream, &(struct tn_host_call){.part_fn = fn, .arg = arg, .parts = parts});
}

// ---- conditions

// A condition is always called a last time, so its record needs no list.
struct condition {
    struct tarn_device *device;
    uint64_t stream;
    uint64_t number; // as of a host function
    tarn_status (*passed)(void *arg, bool dropped);
    void *arg;
};

static void end_condition(struct condition *condition) {
    tn_emit_order(TN_MEM_CALL_PASSED, condition->device, condition->stream, condition->number);
    free(condition);
}

static tarn_status poll_and_emit(void *arg, bool dropped) {
    struct condition *condition = arg;
    const struct condition own = *condition;
    tn_tsan_ignore(true);
    tn_emit_order(TN_MEM_CALL_BEGIN, own.device, own.stream, own.number);
    tn_tsan_ignore(false);
    tarn_status status = own.passed(own.arg, dropped);
    TN_TSAN_IGNORED;
    tn_emit_order(TN_MEM_CALL_END, own.device, own.stream, 0);
    if (dropped || status != TARN_NOT_READY) end_condition(condition);
    return status;
}

tarn_status tn_condition_enqueue(struct tn_stream_or_event *stream,
                                 tarn_status (*passed)(void *arg, bool dropped), void *arg) {
    struct tn_platform *platform = stream->device->platform;
    if (!tn_subscribed())
        return platform->ops->stream_wait_until(platform->p, stream->backend, passed, arg);
    struct condition *condition = malloc(sizeof *condition);
    TN_REFUSE(condition == NULL, TARN_NO_HOST_MEMORY, "no memory for the record of a condition");
    *condition = (struct condition){stream->device, stream->id, tn_host_call_number(), passed, arg};
    tn_emit_order(TN_MEM_CONDITION, stream->device, stream->id, 0);
    tn_emit_order(TN_MEM_CALL_QUEUED, stream->device, stream->id, condition->number);
    tarn_status status =
        platform->ops->stream_wait_until(platform->p, stream->backend, poll_and_emit, condition);
    if (status != TARN_OK) end_condition(condition);
    return status;
}
