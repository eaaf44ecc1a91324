// SPDX-License-Identifier: Apache-2.0
// The order of a device's streams by events. Under the pool's order lock.
#include <stdlib.h>

#include "base/error.h"
#include "base/tsan.h"
#include "core/address/notify.h"
#include "core/pool/stream/streams.h"
#include "core/work/stream.h"
#include "core/work/vector_clock.h"

struct events {
    tn_pool_order order;
    tarn_device *device;
};

static tarn_status stream_known(tn_pool_order *order, tarn_stream stream) {
    struct tn_stream_or_event *object = NULL;
    (void)order;
    TN_TRY(tn_stream_get(stream, &object));
    tn_stream_put(object);
    return TARN_OK;
}

// The mark of a stream that has no work left, so no wait is needed.
#define PASSED UINT64_MAX

static void destroy_mark(tarn_event event) {
    bool before = tn_emit_for_pool(true);
    (void)tarn_event_destroy(event);
    (void)tn_emit_for_pool(before);
}

static tarn_status mark_busy(tarn_device *device, tarn_stream stream, tarn_event *event) {
    TN_TRY(tarn_event_create(device, event));
    tarn_status status = tarn_event_record(*event, stream);
    if (status != TARN_OK) (void)tarn_event_destroy(*event);
    return status;
}

// An idle stream of a GPU needs no event, which would pass some microseconds later. The program may
// have ended the stream, which is no mistake.
static tarn_status mark_end(tn_pool_order *order, tarn_stream stream, tn_pool_mark *made) {
    const struct events *e = (const struct events *)order;
    bool before = tn_emit_for_pool(true);
    tarn_event event = PASSED;
    bool late = (e->device->caps.caps & TARN_CAP_LATE_RECORDS) != 0;
    tarn_status status = late ? tarn_stream_query(stream) : TARN_NOT_READY;
    if (status == TARN_NOT_READY) status = mark_busy(e->device, stream, &event);
    bool never = status == TARN_BAD_HANDLE || status == TARN_DEVICE_FAILED;
    if (status == TARN_OK || never) *made = never ? PASSED : event;
    (void)tn_emit_for_pool(before);
    return never ? TARN_OK : status;
}

static bool mark_passed(tn_pool_order *order, tn_pool_mark event, bool wait) {
    TN_TSAN_IGNORED; // the program does not learn what the pool sees
    (void)order;
    if (event == PASSED) return true;
    // A wait is TARN_BUSY inside a host function.
    if (wait ? tn_event_synchronize_quietly(event) == TARN_BUSY
             : tarn_event_query(event) == TARN_NOT_READY)
        return false;
    destroy_mark(event);
    return true;
}

static void mark_discard(tn_pool_order *order, tn_pool_mark event) {
    (void)order;
    if (event != PASSED) destroy_mark(event);
}

static bool finish_work(tn_pool_order *order, tarn_stream stream) {
    TN_TSAN_IGNORED;
    (void)order;
    bool before = tn_emit_for_pool(true);
    tarn_status status = tn_stream_synchronize_quietly(stream);
    (void)tn_emit_for_pool(before);
    return status != TARN_BUSY;
}

static tn_vector_clock *clock_of(tn_pool_order *order, tarn_stream id) {
    struct tn_stream_or_event *stream;
    (void)order;
    if (tn_stream_find(id, &stream) != TARN_OK) return NULL;
    tn_vector_clock *clock = tn_stream_clock(stream);
    if (clock != NULL) (void)tn_vector_clock_keep(clock);
    tn_stream_put(stream);
    return clock;
}

static void events_destroy(tn_pool_order *order) { free(order); }

static const tn_pool_order_ops ops = {
    .known = stream_known,
    .mark = mark_end,
    .passed = mark_passed,
    .discard = mark_discard,
    .finish = finish_work,
    .clock = clock_of,
    .destroy = events_destroy,
};

tarn_status tn_pool_order_events(tarn_device *device, tn_pool_order **order) {
    struct events *e = (struct events *)calloc(1, sizeof *e);
    TN_REFUSE(e == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the pool's stream tracking");
    e->order.ops = &ops;
    e->device = device;
    *order = &e->order;
    return TARN_OK;
}
