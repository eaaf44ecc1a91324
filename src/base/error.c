// SPDX-License-Identifier: Apache-2.0
// Statuses as text, and the last failure of each thread. Thread-local only: nothing here is shared.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local struct tn_error_kept last;

const char *tarn_status_name(tarn_status status) {
    switch (status) {
#define NAME(name, value, text)                                                                    \
    case TARN_##name:                                                                              \
        return #name;
        TARN_STATUS_LIST(NAME)
#undef NAME
    }
    return "UNKNOWN";
}

const char *tarn_status_text(tarn_status status) {
    switch (status) {
#define TEXT(name, value, text)                                                                    \
    case TARN_##name:                                                                              \
        return text;
        TARN_STATUS_LIST(TEXT)
#undef TEXT
    }
    return "not a status of this library";
}

static tarn_status record(tarn_status status, const char *call, int64_t code, const char *format,
                          va_list args) {
    // Formatted aside first: an argument may point into the message of the failure being replaced.
    char text[sizeof last.message];
    (void)vsnprintf(text, sizeof text, format, args);
    (void)snprintf(last.message, sizeof last.message, "%s", text);
    last.status = status;
    last.native_code = code;
    last.call = call;
    return status;
}

tarn_status tn_fail(tarn_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)record(status, "", 0, format, args);
    va_end(args);
    return status;
}

tarn_status tn_fail_native(tarn_status status, const char *call, int64_t code, const char *format,
                           ...) {
    va_list args;
    va_start(args, format);
    (void)record(status, call, code, format, args);
    va_end(args);
    return status;
}

tarn_status tarn_last_error(tarn_error *error) {
    if (error != NULL) {
        error->status = last.status;
        error->native_code = last.native_code;
        error->call = last.call != NULL ? last.call : "";
        error->message = last.message;
    }
    return last.status;
}

void tarn_clear_error(void) {
    last.status = TARN_OK;
    last.native_code = 0;
    last.call = "";
    last.message[0] = '\0';
}

void tn_error_keep(struct tn_error_kept *kept) {
    *kept = last;
}

void tn_error_put_back(const struct tn_error_kept *kept) {
    last = *kept;
}

uint32_t tarn_version(void) {
    return TARN_VERSION_MAJOR * 1000000u + TARN_VERSION_MINOR * 1000u + TARN_VERSION_PATCH;
}
