// SPDX-License-Identifier: Apache-2.0
// Host functions in streams. When somebody listens, a function goes into the stream inside of a
// record that tells when it begins and ends on which thread. The records of a stream are in a list,
// because a stream that failed drops what was given to it: they go with the stream then. The list
// and its lock belong to this file; any thread.
#include <stdlib.h>

#include "base/error.h"
#include "base/lock.h"
#include "core/notify.h"

struct tn_call {
    struct tn_call *next;
    struct tn_call **link; // what points to this one
    struct tarn_device *device;
    uint64_t stream;
    void (*fn)(void *);
    void *arg;
};

// Last of all: nothing is called under it.
static struct tn_mutex lock = TN_MUTEX(ANNOTATE, "host functions");

static struct tn_call *new_call(struct tn_order *stream, void (*fn)(void *), void *arg) {
    struct tn_call *call = malloc(sizeof *call);
    if (call == NULL) {
        return NULL;
    }
    *call = (struct tn_call){NULL, &stream->calls, stream->device, stream->id, fn, arg};
    tn_mutex_lock(&lock);
    call->next = stream->calls;
    if (call->next != NULL) {
        call->next->link = &call->next;
    }
    stream->calls = call;
    tn_mutex_unlock(&lock);
    return call;
}

static void drop(struct tn_call *call) {
    tn_mutex_lock(&lock);
    *call->link = call->next;
    if (call->next != NULL) {
        call->next->link = call->link;
    }
    tn_mutex_unlock(&lock);
    free(call);
}

static void run(void *arg) {
    struct tn_call *call = arg;
    const struct tn_call own = *call;
    drop(call); // before the function: what it lets go may be the stream
    tn_emit_order(TN_MEM_CALL_BEGIN, own.device, own.stream, 0);
    own.fn(own.arg);
    tn_emit_order(TN_MEM_CALL_END, own.device, own.stream, 0);
}

void tn_stream_drop_calls(struct tn_order *stream) {
    while (stream->calls != NULL) {
        drop(stream->calls);
    }
}

static tarn_status give(struct tn_order *stream, void (*fn)(void *), void *arg) {
    struct tn_platform *platform = stream->device->platform;
    return platform->ops->stream_call(platform->p, stream->backend, fn, arg);
}

static tarn_status give_told(struct tn_order *stream, void (*fn)(void *), void *arg) {
    struct tn_call *call = new_call(stream, fn, arg);
    if (call == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory to tell of a host function");
    }
    tarn_status status = give(stream, run, call);
    if (status != TARN_OK) {
        drop(call);
    }
    return status;
}

tarn_status tarn_stream_call(tarn_stream stream, void (*fn)(void *), void *arg) {
    if (fn == NULL) {
        return tn_fail(TARN_BAD_ARGUMENT, "fn is NULL");
    }
    struct tn_order *order = NULL;
    tarn_status status = tn_stream_get(stream, &order);
    if (status == TARN_OK) {
        status = tn_subscribed() ? give_told(order, fn, arg) : give(order, fn, arg);
        tn_order_put(order);
    }
    return status;
}
