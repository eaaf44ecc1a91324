// SPDX-License-Identifier: Apache-2.0
// See face.h.
#include "compat/hiai/face.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/face/text.h"

#define TEXT 384

struct tn_hiai_face tn_hiai_face = {.devices = 4};

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static bool configured; // guard: opening
static _Thread_local HIAI_StatusT last = HIAI_OK;

// ---- configuration

static const char *variable(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

// A number with K, M or G behind it. False: it is none.
static bool read_bytes(const char *text, uint64_t *bytes) {
    static const char units[] = "KMG";
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    unsigned shift = 0;
    if (end == text || text[0] == '-') {
        return false;
    }
    if (*end != '\0') {
        const char *unit = strchr(units, *end);
        if (unit == NULL || end[1] != '\0') {
            return false;
        }
        shift = 10u * (unsigned)(unit - units + 1);
    }
    *bytes = (uint64_t)number << shift;
    return *bytes >> shift == number;
}

static HIAI_StatusT configure_number(const char *name, const char *otherwise, uint64_t least,
                                     uint64_t most, uint64_t *number) {
    const char *text = variable(name, otherwise);
    uint64_t read;
    if (!read_bytes(text, &read) || read < least || read > most) {
        return tn_hiai_fail(HIAI_INIT_FAIL, "%s is \"%s\": %llu to %llu", name, text,
                            (unsigned long long)least, (unsigned long long)most);
    }
    *number = read;
    return HIAI_OK;
}

static HIAI_StatusT configure_numbers(void) {
    static const uint64_t tib = UINT64_C(1) << 40;
    uint64_t devices = 0, start = 0, destroy = 0;
    struct tn_hiai_face *f = &tn_hiai_face;
    HIAI_StatusT status =
        configure_number("TARN_HIAI_POOL", "1G", UINT64_C(1) << 20, tib, &f->pool_bytes);
    if (status == HIAI_OK) {
        status = configure_number("TARN_HIAI_PREFAULT", "0", 0, tib, &f->prefault_bytes);
    }
    if (status == HIAI_OK) {
        status = configure_number("TARN_HIAI_DEVICES", "4", 1, TN_HIAI_DEVICES, &devices);
    }
    if (status == HIAI_OK) {
        status = configure_number("TARN_HIAI_START_TIMEOUT", "30000", 0, UINT32_MAX, &start);
    }
    if (status == HIAI_OK) {
        status = configure_number("TARN_HIAI_DESTROY_TIMEOUT", "30000", 0, UINT32_MAX, &destroy);
    }
    if (status == HIAI_OK) {
        f->devices = (uint32_t)devices;
        f->start_ms = (uint32_t)start;
        atomic_store_explicit(&f->destroy_ms, (uint32_t)destroy, memory_order_relaxed);
    }
    return status;
}

static HIAI_StatusT configure(void) {
    const char *mode = variable("TARN_HIAI_MODE", "EP");
    if (configured) {
        return HIAI_OK;
    }
    if (strcmp(mode, "EP") != 0 && strcmp(mode, "RC") != 0) {
        return tn_hiai_fail(HIAI_INIT_FAIL, "TARN_HIAI_MODE is \"%s\": EP or RC", mode);
    }
    tn_hiai_face.rc = strcmp(mode, "RC") == 0;
    tn_hiai_face.log = strcmp(variable("TARN_HIAI_LOG", "0"), "0") != 0;
    HIAI_StatusT status = configure_numbers();
    configured = status == HIAI_OK;
    return status;
}

// ---- opening

static HIAI_StatusT make_arena(void) {
    tarn_arena_desc desc = TARN_INIT(tarn_arena_desc);
    tarn_arena *arena;
    desc.bytes = tn_hiai_face.pool_bytes;
    desc.prefault = tn_hiai_face.prefault_bytes;
    tarn_status status = tarn_arena_create(&desc, &arena);
    if (status != TARN_OK) {
        return tn_hiai_fail_tarn(HIAI_INIT_FAIL);
    }
    atomic_store_explicit(&tn_hiai_face.arena, arena, memory_order_release);
    tn_hiai_fork_watch();
    return HIAI_OK;
}

HIAI_StatusT tn_hiai_configure(void) {
    (void)pthread_mutex_lock(&opening);
    HIAI_StatusT status = configure();
    (void)pthread_mutex_unlock(&opening);
    return status;
}

HIAI_StatusT tn_hiai_open(void) {
    HIAI_StatusT status = HIAI_OK;
    if (tn_hiai_arena() != NULL) {
        return HIAI_OK;
    }
    (void)pthread_mutex_lock(&opening);
    if (tn_hiai_arena() == NULL) {
        status = configure();
        if (status == HIAI_OK) {
            status = make_arena();
        }
    }
    (void)pthread_mutex_unlock(&opening);
    return status;
}

HIAI_StatusT tn_hiai_ready(void) {
    return tn_hiai_arena() != NULL
               ? HIAI_OK
               : tn_hiai_fail(HIAI_GRAPH_NOT_EXIST, "HIAI_Init() was not called in this process");
}

HIAI_StatusT tn_hiai_become_device(void) {
    HIAI_StatusT status = HIAI_OK;
    (void)pthread_mutex_lock(&opening);
    if (tn_hiai_arena() != NULL) {
        status = tn_hiai_fail(HIAIX_WRONG_SIDE, "this process is of the %s side already",
                              tn_hiai_is_device() ? "device" : "host");
    } else {
        atomic_store_explicit(&tn_hiai_face.is_device, true, memory_order_relaxed);
    }
    (void)pthread_mutex_unlock(&opening);
    return status;
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

void tn_hiai_face_fork(enum tn_face_fork step) {
    if (step == TN_FACE_FORK_PREPARE) {
        (void)pthread_mutex_lock(&opening);
        return;
    }
    if (step == TN_FACE_FORK_CHILD) { // the arena is the parent's
        atomic_store_explicit(&tn_hiai_face.arena, NULL, memory_order_relaxed);
        atomic_store_explicit(&tn_hiai_face.is_device, false, memory_order_relaxed);
        configured = false;
    }
    (void)pthread_mutex_unlock(&opening);
}

HIAI_StatusT HIAI_Init(uint32_t deviceID) {
    HIAI_StatusT status = tn_hiai_open();
    if (status == HIAI_OK && deviceID >= tn_hiai_face.devices) {
        status = tn_hiai_fail(HIAI_INIT_FAIL, "device %u of %u", deviceID, tn_hiai_face.devices);
    }
    return tn_hiai_leave(status, __func__);
}

// ---- times

static uint64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 * TN_HIAI_MS + (uint64_t)now.tv_nsec;
}

uint64_t tn_hiai_deadline(uint64_t limit_ns) {
    if (limit_ns == 0) {
        return 0; // over already: nobody needs to know the time
    }
    uint64_t now = now_ns();
    return limit_ns > TARN_FOREVER - now ? TARN_FOREVER : now + limit_ns;
}

uint64_t tn_hiai_time_left(uint64_t deadline) {
    if (deadline == 0 || deadline == TARN_FOREVER) {
        return deadline;
    }
    uint64_t now = now_ns();
    return deadline > now ? deadline - now : 0;
}

// ---- errors

HIAI_StatusT tn_hiai_leave(HIAI_StatusT status, const char *function) {
    last = status;
    if (__builtin_expect(status != HIAI_OK && tn_hiai_face.log, 0)) {
        fprintf(stderr, "tarn: %s: %s: %s\n", function, HIAIX_StatusStr(status), tn_hiai_text());
    }
    return status;
}

HIAI_StatusT tn_hiai_fail(HIAI_StatusT status, const char *format, ...) {
    char *text = tn_face_text_room();
    if (text != NULL) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(text, TEXT, format, arguments);
        va_end(arguments);
    }
    return status;
}

HIAI_StatusT tn_hiai_fail_tarn(HIAI_StatusT status) {
    tarn_error error;
    (void)tarn_last_error(&error);
    return tn_hiai_fail(status, "%s", error.message);
}

void tn_hiai_warn(const char *format, ...) {
    va_list arguments;
    char text[TEXT];
    if (!tn_hiai_face.log) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "tarn: warning: %s\n", text);
}

const char *tn_hiai_text(void) {
    const char *text = tn_face_text_room();
    return text != NULL ? text : "";
}

HIAI_StatusT HIAIX_GetLastError(void) {
    return last;
}

const char *HIAIX_GetLastErrorText(void) {
    return tn_hiai_text();
}
