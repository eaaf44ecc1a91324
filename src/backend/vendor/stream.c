// SPDX-License-Identifier: Apache-2.0
// The life of streams, and waits for them. A wrapped stream belongs to the application: destroying
// it here leaves the native stream alone. The platform's lock guards the list and the reference
// counts. Failures of streams are in native.c, waits with a deadline in wait.c.
#include <stdlib.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/list.h"

// ---- life

static tarn_status create_record(struct tn_vendor *vendor, int device, void *native, bool borrowed,
                                 struct tn_vendor_stream **out) {
    struct tn_vendor_stream *stream = calloc(1, sizeof *stream);
    TN_REFUSE(stream == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the record of a stream");
    *stream = (struct tn_vendor_stream){
        .vendor = vendor, .refs = 1, .device = device, .native = native, .borrowed = borrowed};
    tn_mutex_init(&stream->lock, TN_RANK_BACKEND_STREAM, "stream of a vendor");
    tn_mutex_init(&stream->staging, TN_RANK_BACKEND_INNER, "staging of a stream");
    *out = stream;
    TN_LOCKED(&vendor->lock);
    TN_LIST_ADD(vendor->streams, stream, next, prev);
    return TARN_OK;
}

static void destroy_native(struct tn_vendor *vendor, int device, void *native) {
    (void)TN_VENDOR_CALL(vendor, device, stream_destroy, native);
}

tarn_status tn_vendor_stream_new(struct tn_vendor *vendor, int device,
                                 struct tn_vendor_stream **stream) {
    void *native = NULL;
    struct tn_native answer = TN_VENDOR_CALL(vendor, device, stream_create, &native);
    TN_TRY(tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_HANDLES, "a stream of device %d",
                            device));
    tarn_status status = create_record(vendor, device, native, false, stream);
    if (status != TARN_OK) destroy_native(vendor, device, native);
    return status;
}

void tn_vendor_stream_release(struct tn_vendor_stream *stream) {
    struct tn_vendor *vendor = stream->vendor;
    tn_mutex_lock(&vendor->lock);
    bool last = --stream->refs == 0;
    if (last) TN_LIST_REMOVE(vendor->streams, stream, next, prev);
    tn_mutex_unlock(&vendor->lock);
    if (!last) return;
    if (!stream->borrowed) destroy_native(vendor, stream->device, stream->native);
    tn_vendor_calls_drop(stream);
    tn_vendor_stage_free(stream);
    tn_mutex_fini(&stream->lock);
    free(stream);
}

// A failed internal stream is replaced; it is destroyed together with the platform.
tarn_status tn_vendor_internal_stream(struct tn_vendor *vendor, int device,
                                      struct tn_vendor_stream **stream) {
    _Atomic(struct tn_vendor_stream *) *slot = &vendor->devices[device].internal;
    struct tn_vendor_stream *found = tn_load_acquire(slot);
    if (found != NULL && !tn_load_acquire(&found->failed)) {
        *stream = found;
        return TARN_OK;
    }
    struct tn_vendor_stream *made = NULL;
    TN_TRY(tn_vendor_stream_new(vendor, device, &made));
    if (!tn_cas_acq_rel(slot, &found, made)) { // another thread was faster
        tn_vendor_stream_release(made);
        return tn_vendor_internal_stream(vendor, device, stream);
    }
    *stream = made;
    return TARN_OK;
}

tarn_status tn_vendor_stream_create(void *p, int device, void **stream) {
    struct tn_vendor_stream *made = NULL;
    TN_TRY(tn_vendor_stream_new(p, device, &made));
    *stream = made;
    return TARN_OK;
}

tarn_status tn_vendor_stream_wrap(void *p, int device, void *native, void **stream) {
    struct tn_vendor_stream *made = NULL;
    tarn_status status = create_record(p, device, native, true, &made);
    if (status == TARN_OK) *stream = made;
    return status;
}

void tn_vendor_stream_destroy(void *p, void *stream) {
    (void)p;
    tn_vendor_stream_release(stream);
}

// ---- queries and waits

// `call` is the driver's stream_query or stream_synchronize.
static tarn_status await_stream(struct tn_vendor_stream *stream,
                                struct tn_native (*call)(void *d, void *stream)) {
    TN_TRY(tn_vendor_stream_check(stream));
    TN_VENDOR_CURRENT(stream->vendor, stream->device);
    return tn_vendor_stream_wait_answer(stream, call(stream->vendor->d, stream->native));
}

tarn_status tn_vendor_stream_await(void *p, void *stream) {
    return await_stream(stream, ((const struct tn_vendor *)p)->driver->stream_synchronize);
}

tarn_status tn_vendor_stream_query(void *p, void *stream) {
    return await_stream(stream, ((const struct tn_vendor *)p)->driver->stream_query);
}

tarn_status tn_vendor_device_await(void *p, int device) {
    struct tn_vendor *vendor = p;
    TN_VENDOR_CURRENT(vendor, device);
    struct tn_native answer = vendor->driver->device_synchronize(vendor->d);
    // A failure is reported by the stream in which it happened.
    return !tn_native_ok(answer) && vendor->driver->status_of(answer.code) == TARN_DEVICE_FAILED
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NATIVE, "waiting for device %d",
                                  device);
}
