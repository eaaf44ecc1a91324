// SPDX-License-Identifier: Apache-2.0
// Configuration, opening, sides, times and errors of the face; see face.h. The lock `opening`
// guards configuration and creation.
#include "compat/hiai/face.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/face/fidelity.h"
#include "compat/face/log.h"
#include "compat/face/scope.h"
#include "compat/face/text.h"
#include "compat/face/variable.h"

TN_FACE_LOG("TARN_HIAI_LOG");
_Static_assert(TN_HIAI_DEVICES == 64, "the limit of TARN_HIAI_DEVICES");

struct tn_hiai_face tn_hiai_face = {.devices = 4};

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static bool configured; // guard: opening
static _Thread_local HIAI_StatusT last = HIAI_OK;

// ---- configuration

// With the lock.
static HIAI_StatusT configure_locked(void) {
    struct tn_hiai_face *f = &tn_hiai_face;
    char wrong[256];
    if (configured) return HIAI_OK;
    if (!tn_face_variables_check(TN_FACE_NAME, wrong, sizeof wrong)) {
        tn_log_refusal(wrong);
        return tn_hiai_fail(HIAI_INIT_FAIL, "%s", wrong);
    }
    f->rc = tn_variable_value("TARN_HIAI_MODE", 0) != 0;
    f->pool_bytes = tn_variable_value("TARN_HIAI_POOL", UINT64_C(1) << 30);
    f->prefault_bytes = tn_variable_value("TARN_HIAI_PREFAULT", 0);
    f->devices = (uint32_t)tn_variable_value("TARN_HIAI_DEVICES", 4);
    f->start_ms = (uint32_t)tn_variable_value("TARN_HIAI_START_TIMEOUT", 30000);
    atomic_store_explicit(&f->destroy_ms,
                          (uint32_t)tn_variable_value("TARN_HIAI_DESTROY_TIMEOUT", 30000),
                          memory_order_relaxed);
    configured = true;
    return HIAI_OK;
}

// ---- opening

static bool is_shortage(tarn_status status) {
    return status == TARN_NO_HOST_MEMORY || status == TARN_NO_ADDRESS_SPACE ||
           status == TARN_NO_HANDLES || status == TARN_NO_MAPPINGS;
}

HIAI_StatusT tn_hiai_configure(void) {
    TN_FACE_LOCKED(&opening);
    return configure_locked();
}

static _Atomic(bool) has_ended;

static void note_end(void) { atomic_store_explicit(&has_ended, true, memory_order_relaxed); }

void tn_hiai_watch_end(void) { (void)atexit(note_end); }

HIAI_StatusT tn_hiai_open(void) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena;
    if (tn_hiai_arena() != NULL) return HIAI_OK;
    TN_FACE_LOCKED(&opening);
    if (tn_hiai_arena() != NULL) // another thread was faster
        return HIAI_OK;
    TN_HIAI_TRY(configure_locked());
    desc.bytes = tn_hiai_face.pool_bytes;
    desc.prefault = tn_hiai_face.prefault_bytes;
    tarn_status status = tarn_arena_create(&desc, &arena);
    if (status != TARN_OK)
        return tn_hiai_fail_tarn(is_shortage(status) ? HIAI_MEMORY_EXHAUSTED : HIAI_INIT_FAIL);
    atomic_store_explicit(&tn_hiai_face.arena, arena, memory_order_release);
    tn_log_opened();
    tn_log_line(TN_LOG_INFO, "info: HiAI: opened a pool of %llu bytes",
                (unsigned long long)tn_hiai_face.pool_bytes);
    tn_face_fork_install();
    tn_hiai_watch_end();
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_ready(void) {
    return tn_hiai_arena() != NULL
               ? HIAI_OK
               : tn_hiai_fail(HIAI_GRAPH_NOT_EXIST, "HIAI_Init() was not called in this process");
}

HIAI_StatusT tn_hiai_become_device(void) {
    TN_FACE_LOCKED(&opening);
    TN_HIAI_REFUSE(tn_hiai_arena() != NULL, HIAIX_WRONG_SIDE, "this process is the %s side already",
                   tn_hiai_is_device() ? "device" : "host");
    atomic_store_explicit(&tn_hiai_face.is_device, true, memory_order_relaxed);
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_need_host(const char *function) {
    return tn_hiai_is_device() && !tn_hiai_face.rc
               ? tn_hiai_fail(HIAIX_WRONG_SIDE, "%s is for the host side", function)
               : HIAI_OK;
}

HIAI_StatusT tn_hiai_need_device(const char *function) {
    return !tn_hiai_is_device() && !tn_hiai_face.rc
               ? tn_hiai_fail(HIAIX_WRONG_SIDE, "%s is for the device side", function)
               : HIAI_OK;
}

// The arena belongs to the parent.
static void forget_arena(void) {
    atomic_store_explicit(&tn_hiai_face.arena, NULL, memory_order_relaxed);
    atomic_store_explicit(&tn_hiai_face.is_device, false, memory_order_relaxed);
    configured = false;
}

TN_FACE_ON_FORK(TN_HIAI_LOCK_FACE, &opening, forget_arena);

TN_HIAI_FUNCTION(HIAI_Init, uint32_t, deviceID) {
    TN_HIAI_TRY(tn_hiai_open());
    return deviceID < tn_hiai_face.devices
               ? HIAI_OK
               : tn_hiai_fail(HIAI_INIT_FAIL, "device %u does not exist, there are %u", deviceID,
                              tn_hiai_face.devices);
}

// ---- times

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 * TN_HIAI_MS + (uint64_t)now.tv_nsec;
}

uint64_t tn_hiai_deadline(uint64_t limit_ns) {
    if (limit_ns == 0) return 0; // the time is over, so the clock need not be read
    uint64_t now = now_ns();
    return limit_ns > TARN_FOREVER - now ? TARN_FOREVER : now + limit_ns;
}

uint64_t tn_hiai_time_left(uint64_t deadline) {
    if (deadline == 0 || deadline == TARN_FOREVER) return deadline;
    uint64_t now = now_ns();
    return deadline > now ? deadline - now : 0;
}

// ---- errors

HIAI_StatusT tn_hiai_leave(HIAI_StatusT status, const char *function) {
    if (tn_face_counts())
        tn_face_fidelity_call(function, status != HIAI_OK ? (int)status : 0,
                              status != HIAI_OK ? tn_hiai_text() : "");
    last = status;
    if (__builtin_expect(status != HIAI_OK, 0) &&
        (status != HIAI_ENGINE_FUNCTOR_EXIST || tn_log_level() > TN_LOG_ERROR)) // normal traffic
        tn_log_failure(function, HIAIX_StatusStr(status), tn_hiai_text());
    return status;
}

HIAI_StatusT tn_hiai_fail(HIAI_StatusT status, const char *format, ...) {
    char *text = tn_face_text_room();
    if (text != NULL) {
        va_list arguments;
        va_start(arguments, format);
        tn_face_text_format(text, TN_HIAI_TEXT, format, arguments);
        va_end(arguments);
    }
    return status;
}

HIAI_StatusT tn_hiai_fail_tarn(HIAI_StatusT status) {
    tarn_error error;
    (void)tarn_last_error(&error);
    return tn_hiai_fail(status, "%s", error.message);
}

_Thread_local bool tn_hiai_is_loading;

// Static objects of headers register before HIAI_Init() or while a shared object of an engine is
// opened, and unregister at the end. They ignore the result, so no program can handle a failure.
static bool is_of_static_object(const char *function) {
    return (strncmp(function, "HIAIX_Register", 14) == 0 ||
            strncmp(function, "HIAIX_Unregister", 16) == 0) &&
           (tn_hiai_arena() == NULL || tn_hiai_is_loading ||
            atomic_load_explicit(&has_ended, memory_order_relaxed));
}

HIAI_StatusT tn_hiai_inject(const char *function) {
    static const struct tn_face_code codes[] = {
#define CODE(name, number) {#name, (int)(name), NULL},
        HIAIX_STATUS_LIST(CODE)
#undef CODE
    };
    int code = 0;
    if (is_of_static_object(function)) return HIAI_OK;
    tarn_status status = tn_face_inject(function, codes, sizeof codes / sizeof codes[0], &code);
    if (status == TARN_OK) return HIAI_OK;
    return tn_hiai_fail_tarn(code != 0 ? (HIAI_StatusT)code : HIAI_MEMORY_EXHAUSTED);
}

void tn_hiai_warn(const char *format, ...) {
    va_list arguments;
    char text[TN_HIAI_TEXT];
    if (tn_log_level() == TN_LOG_OFF) return;
    va_start(arguments, format);
    tn_face_text_format(text, sizeof text, format, arguments);
    va_end(arguments);
    tn_log_line(TN_LOG_ERROR, "warning: %s", text);
}

const char *tn_hiai_text(void) {
    const char *text = tn_face_text_room();
    return text != NULL ? text : "";
}

HIAI_StatusT HIAIX_GetLastError(void) { return last; }

const char *HIAIX_GetLastErrorText(void) { return tn_hiai_text(); }
