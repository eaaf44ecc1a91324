// SPDX-License-Identifier: Apache-2.0
// Texts of statuses, and the last failure of each thread, which only that thread reads or writes.
// The message lies on the heap, from the thread's first failure to its end: a library with large
// thread-local variables cannot be opened by dlopen().
#include "base/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

#define MESSAGE sizeof(((struct tn_error_saved *)0)->message)

static _Thread_local struct {
    tarn_status status;
    int64_t native_code;
    const char *call;
    char *message; // MESSAGE bytes; NULL: no failure yet, or out of host memory
} last;

static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_message(void *message) {
    last.message = NULL;
    free(message);
}

static void make_key(void) { (void)pthread_key_create(&at_thread_end, free_message); }

// Returns the buffer of the thread's message, or NULL if host memory is exhausted.
static char *message_room(void) {
    if (last.message == NULL) {
        (void)pthread_once(&once, make_key);
        last.message = (char *)malloc(MESSAGE);
        if (last.message != NULL && pthread_setspecific(at_thread_end, last.message) != 0) {
            free(last.message);
            last.message = NULL;
        }
    }
    return last.message;
}

// Without a buffer the text of the status stands in for the message.
static const char *message_now(void) {
    if (last.status == TARN_OK) return "";
    return last.message != NULL ? last.message : tarn_status_text(last.status);
}

const char *tarn_status_name(tarn_status status) {
    switch (status) {
#define NAME(name, value, text)                                                                    \
    case TARN_##name: return #name;
        TARN_STATUS_LIST(NAME)
    }
    return "UNKNOWN";
}

const char *tarn_status_text(tarn_status status) {
    switch (status) {
#define TEXT(name, value, text)                                                                    \
    case TARN_##name: return text;
        TARN_STATUS_LIST(TEXT)
    }
    return "not a status of this library";
}

static void record_failure(tarn_status status, const char *call, int64_t code, const char *format,
                           va_list args) {
    // An argument may point into the message that is replaced, so the text is formatted first.
    // It may name a file, or quote a recording.
    char text[MESSAGE];
    (void)vsnprintf(text, sizeof text, format, args);
    char *room = message_room();
    if (room != NULL) tn_printable_copy(text, room, MESSAGE);
    last.status = status;
    last.native_code = code;
    last.call = call;
}

tarn_status tn_fail(tarn_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    record_failure(status, "", 0, format, args);
    va_end(args);
    return status;
}

tarn_status tn_fail_native(tarn_status status, const char *call, int64_t code, const char *format,
                           ...) {
    va_list args;
    va_start(args, format);
    record_failure(status, call, code, format, args);
    va_end(args);
    return status;
}

tarn_status tarn_last_error(tarn_error *error) {
    if (error != NULL) {
        error->status = last.status;
        error->native_code = last.native_code;
        error->call = last.call != NULL ? last.call : "";
        error->message = message_now();
    }
    return last.status;
}

void tarn_clear_error(void) {
    last.status = TARN_OK;
    last.native_code = 0;
    last.call = "";
}

// Runs before each small copy, so it does not touch the message unless there is an error.
void tn_error_save(struct tn_error_saved *saved) {
    saved->status = last.status;
    saved->native_code = last.native_code;
    saved->call = last.call;
    if (last.status != TARN_OK)
        (void)snprintf(saved->message, sizeof saved->message, "%s", message_now());
}

void tn_error_restore(const struct tn_error_saved *saved) {
    last.status = saved->status;
    last.native_code = saved->native_code;
    last.call = saved->call;
    if (last.message != NULL && saved->status != TARN_OK)
        memcpy(last.message, saved->message, sizeof saved->message);
}

uint32_t tarn_version(void) {
    return TARN_VERSION_MAJOR * 1000000u + TARN_VERSION_MINOR * 1000u + TARN_VERSION_PATCH;
}
