// SPDX-License-Identifier: Apache-2.0
// Streams. What the vendor tells once about a stream that has failed is kept, so that it is told
// at every later call. A wrapped stream is somebody else's, and is only forgotten.
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

// ---- what calls about it gave

void tn_vendor_stream_fault(struct tn_vendor_stream *stream, struct tn_native answer) {
    if (!tn_native_ok(answer) && !atomic_exchange(&stream->faulting, true)) {
        stream->code = answer.code;
        stream->call = answer.call;
        tn_store_release(&stream->faulted, true);
    }
}

tarn_status tn_vendor_stream_check(struct tn_vendor_stream *stream) {
    if (!tn_load_acquire(&stream->faulted)) {
        return TARN_OK;
    }
    const struct tn_vendor *vendor = stream->vendor;
    return tn_fail_native(
        TARN_DEVICE_FAULT, stream->call, stream->code,
        "%s: the stream at 0x%llx of device %d has failed: %s: %s (%lld)", vendor->driver->name,
        (unsigned long long)(uintptr_t)stream->native, stream->device, stream->call,
        vendor->driver->error_name(vendor->d, stream->code), (long long)stream->code);
}

tarn_status tn_vendor_stream_answer(struct tn_vendor_stream *stream, struct tn_native answer,
                                    const char *what) {
    const struct tn_vendor *vendor = stream->vendor;
    if (tn_native_ok(answer)) {
        return TARN_OK;
    }
    tarn_status status = vendor->driver->status_of(answer.code);
    if (status == TARN_NOT_READY || status == TARN_TIMED_OUT) {
        return status;
    }
    if (status == TARN_DEVICE_FAULT) {
        tn_vendor_stream_fault(stream, answer);
        return tn_vendor_stream_check(stream);
    }
    return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                            "%s in a stream of device %d", what, stream->device);
}

// ---- life

static tarn_status adopt(struct tn_vendor *vendor, int device, void *native, bool borrowed,
                         struct tn_vendor_stream **out) {
    struct tn_vendor_stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL) {
        return tn_fail(TARN_NO_HOST_MEMORY, "no memory for the record of a stream");
    }
    *stream = (struct tn_vendor_stream){
        .vendor = vendor, .refs = 1, .device = device, .native = native, .borrowed = borrowed};
    tn_mutex_init(&stream->lock, TN_RANK_BACKEND_STREAM, "stream of a card");
    tn_mutex_init(&stream->staging, TN_RANK_BACKEND_INNER, "staging of a stream");
    tn_mutex_lock(&vendor->lock);
    stream->next = vendor->streams;
    if (stream->next != NULL) {
        stream->next->prev = stream;
    }
    vendor->streams = stream;
    tn_mutex_unlock(&vendor->lock);
    *out = stream;
    return TARN_OK;
}

static tarn_status create_native(struct tn_vendor *vendor, int device, void **native) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->stream_create(vendor->d, native);
    tn_vendor_leave(&scope);
    return tn_native_ok(answer) ? TARN_OK
                                : tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_HANDLES,
                                                   "a stream of device %d", device);
}

static void destroy_native(struct tn_vendor *vendor, int device, void *native) {
    struct tn_vendor_scope scope;
    if (tn_vendor_enter(vendor, device, &scope) == TARN_OK) {
        (void)vendor->driver->stream_destroy(vendor->d, native);
        tn_vendor_leave(&scope);
    }
}

tarn_status tn_vendor_stream_new(struct tn_vendor *vendor, int device,
                                 struct tn_vendor_stream **stream) {
    void *native = NULL;
    tarn_status status = create_native(vendor, device, &native);
    if (status != TARN_OK) {
        return status;
    }
    status = adopt(vendor, device, native, false, stream);
    if (status != TARN_OK) {
        destroy_native(vendor, device, native);
    }
    return status;
}

static void unlink_stream(struct tn_vendor_stream *stream) {
    struct tn_vendor *vendor = stream->vendor;
    if (stream->prev != NULL) {
        stream->prev->next = stream->next;
    } else {
        vendor->streams = stream->next;
    }
    if (stream->next != NULL) {
        stream->next->prev = stream->prev;
    }
}

void tn_vendor_stream_release(struct tn_vendor_stream *stream) {
    struct tn_vendor *vendor = stream->vendor;
    tn_mutex_lock(&vendor->lock);
    bool last = --stream->refs == 0;
    if (last) {
        unlink_stream(stream);
    }
    tn_mutex_unlock(&vendor->lock);
    if (!last) {
        return;
    }
    if (!stream->borrowed) {
        destroy_native(vendor, stream->device, stream->native);
    }
    tn_vendor_calls_drop(stream);
    tn_vendor_stage_free(stream);
    tn_mutex_fini(&stream->lock);
    free(stream);
}

tarn_status tn_vendor_stream_create(void *p, int device, void **stream) {
    struct tn_vendor_stream *made = NULL;
    tarn_status status = tn_vendor_stream_new(p, device, &made);
    if (status == TARN_OK) {
        *stream = made;
    }
    return status;
}

tarn_status tn_vendor_stream_wrap(void *p, int device, void *native, void **stream) {
    struct tn_vendor_stream *made = NULL;
    tarn_status status = adopt(p, device, native, true, &made);
    if (status == TARN_OK) {
        *stream = made;
    }
    return status;
}

void tn_vendor_stream_destroy(void *p, void *stream) {
    (void)p;
    tn_vendor_stream_release(stream);
}

// ---- asking and waiting

tarn_status tn_vendor_stream_wait_answer(struct tn_vendor_stream *stream, struct tn_native answer) {
    tarn_status status =
        tn_native_ok(answer) ? TARN_OK : stream->vendor->driver->status_of(answer.code);
    if (status == TARN_NATIVE) {
        tn_vendor_stream_fault(stream, answer);
    }
    if (status != TARN_OK && status != TARN_NATIVE) {
        return tn_vendor_stream_answer(stream, answer, "waiting");
    }
    return tn_vendor_stream_check(stream); // work of ours may have failed as well
}

typedef struct tn_native stream_question(void *d, void *stream);

static tarn_status ask(struct tn_vendor_stream *stream, stream_question *question) {
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_stream_check(stream);
    if (status == TARN_OK) {
        status = tn_vendor_enter(stream->vendor, stream->device, &scope);
    }
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = question(stream->vendor->d, stream->native);
    tn_vendor_leave(&scope);
    return tn_vendor_stream_wait_answer(stream, answer);
}

tarn_status tn_vendor_stream_synchronize(void *p, void *object) {
    struct tn_vendor_stream *stream = object;
    (void)p;
    return ask(stream, stream->vendor->driver->stream_synchronize);
}

tarn_status tn_vendor_stream_query(void *p, void *object) {
    struct tn_vendor_stream *stream = object;
    (void)p;
    return ask(stream, stream->vendor->driver->stream_query);
}

tarn_status tn_vendor_device_synchronize(void *p, int device) {
    struct tn_vendor *vendor = p;
    struct tn_vendor_scope scope;
    tarn_status status = tn_vendor_enter(vendor, device, &scope);
    if (status != TARN_OK) {
        return status;
    }
    struct tn_native answer = vendor->driver->device_synchronize(vendor->d);
    tn_vendor_leave(&scope);
    // What failed is told by its stream.
    return tn_native_ok(answer) || vendor->driver->status_of(answer.code) == TARN_DEVICE_FAULT
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE, "waiting for device %d",
                                  device);
}
