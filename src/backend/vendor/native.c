// SPDX-License-Identifier: Apache-2.0
// Calls into a vendor's library: the device that is current on the thread, and what a refusal
// means.
#include <stdarg.h>
#include <stdio.h>

#include "backend/vendor/vendor.h"
#include "base/error.h"

tarn_status tn_vendor_enter(struct tn_vendor *vendor, int device, struct tn_vendor_scope *scope) {
    *scope = (struct tn_vendor_scope){.vendor = vendor};
    struct tn_native answer = vendor->driver->enter(vendor->d, device, &scope->saved);
    return tn_native_ok(answer)
               ? TARN_OK
               : tn_vendor_status(vendor, answer, TARN_NATIVE, TARN_NO_DEVICE_MEMORY,
                                  "device %d cannot be made current", device);
}

void tn_vendor_leave(struct tn_vendor_scope *scope) {
    scope->vendor->driver->leave(scope->vendor->d, &scope->saved);
}

tarn_status tn_vendor_status(const struct tn_vendor *vendor, struct tn_native answer,
                             tarn_status wrong, tarn_status scarce, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tarn_status status = vendor->driver->status_of(answer.code);
    if (status == TARN_BAD_ARGUMENT) {
        status = wrong;
    } else if (status == TARN_NO_DEVICE_MEMORY) {
        status = scarce;
    }
    return tn_fail_native(status, answer.call, answer.code, "%s: %s: %s (%lld)", text, answer.call,
                          vendor->driver->error_name(vendor->d, answer.code),
                          (long long)answer.code);
}
