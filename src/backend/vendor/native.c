// SPDX-License-Identifier: Apache-2.0 Native calls: the device that is current on a thread, the
// status that a native result stands for, and the failures of streams. A vendor reports a failure
// once, or at every call; here a stream that has failed reports its first failure at every later
// call. Any thread may call these functions.
#include <stdarg.h>
#include <stdio.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"
#include "base/uncancelled.h"

// ---- the current device

bool tn_vendor_try_enter(struct tn_vendor *vendor, int device, struct tn_vendor_scope *scope) {
    *scope = (struct tn_vendor_scope){.vendor = vendor, .cancel_state = tn_cancel_disable()};
    scope->answer = vendor->driver->enter(vendor->d, device, &scope->saved);
    if (!tn_native_ok(scope->answer)) tn_cancel_restore(&scope->cancel_state);
    return tn_native_ok(scope->answer);
}

tarn_status tn_vendor_enter(struct tn_vendor *vendor, int device, struct tn_vendor_scope *scope) {
    return tn_vendor_try_enter(vendor, device, scope)
               ? TARN_OK
               : tn_vendor_status(vendor, scope->answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                  "device %d cannot be made current", device);
}

struct tn_native tn_vendor_leave(struct tn_vendor_scope *scope, struct tn_native answer) {
    scope->vendor->driver->leave(scope->vendor->d, &scope->saved);
    tn_cancel_restore(&scope->cancel_state);
    return answer;
}

// ---- results

tarn_status tn_vendor_status(const struct tn_vendor *vendor, struct tn_native answer,
                             tarn_status wrong, tarn_status scarce, const char *format, ...) {
    char text[256];
    va_list args;
    if (tn_native_ok(answer)) return TARN_OK;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tarn_status status = vendor->driver->status_of(answer.code);
    if (status == TARN_BAD_ARGUMENT)
        status = wrong;
    else if (status == TARN_NO_DEVICE_MEMORY)
        status = scarce;
    return tn_fail_native(status, answer.call, answer.code, "%s: %s: %s (%lld)", text, answer.call,
                          vendor->driver->error_name(vendor->d, answer.code),
                          (long long)answer.code);
}

// ---- results about a stream

void tn_vendor_stream_fail(struct tn_vendor_stream *stream, struct tn_native answer) {
    if (!tn_native_ok(answer) && !atomic_exchange(&stream->failing, true)) {
        stream->code = answer.code;
        stream->call = answer.call;
        tn_store_release(&stream->failed, true);
    }
}

tarn_status tn_vendor_stream_check(struct tn_vendor_stream *stream) {
    if (!tn_load_acquire(&stream->failed)) return TARN_OK;
    const struct tn_vendor *vendor = stream->vendor;
    return tn_fail_native(
        TARN_DEVICE_FAILED, stream->call, stream->code,
        "%s: the stream at 0x%llx of device %d has failed: %s: %s (%lld)", vendor->driver->name,
        (unsigned long long)(uintptr_t)stream->native, stream->device, stream->call,
        vendor->driver->error_name(vendor->d, stream->code), (long long)stream->code);
}

tarn_status tn_vendor_stream_answer(struct tn_vendor_stream *stream, struct tn_native answer,
                                    const char *what) {
    const struct tn_vendor *vendor = stream->vendor;
    if (tn_native_ok(answer)) return TARN_OK;
    tarn_status status = vendor->driver->status_of(answer.code);
    if (status == TARN_NOT_READY || status == TARN_TIMED_OUT) return status;
    if (status == TARN_DEVICE_FAILED) {
        tn_vendor_stream_fail(stream, answer);
        return tn_vendor_stream_check(stream);
    }
    return tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                            "%s in a stream of device %d", what, stream->device);
}

tarn_status tn_vendor_stream_wait_answer(struct tn_vendor_stream *stream, struct tn_native answer) {
    tarn_status status =
        tn_native_ok(answer) ? TARN_OK : stream->vendor->driver->status_of(answer.code);
    if (status == TARN_NATIVE) tn_vendor_stream_fail(stream, answer);
    if (status != TARN_OK && status != TARN_NATIVE)
        return tn_vendor_stream_answer(stream, answer, "waiting");
    return tn_vendor_stream_check(stream); // deferred work may have failed as well
}
