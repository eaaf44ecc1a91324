// SPDX-License-Identifier: Apache-2.0
// See face.h.
#include "compat/hip/face.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/text.h"
#include "compat/hip/lock.h"

struct tn_hip_face tn_hip_face;

// UNOPENED until the first call; then what every later one is told.
enum { UNOPENED, READY, NO_DEVICE, BROKEN };
static _Atomic(int) state;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static char broken_why[TN_HIP_TEXT];

static _Thread_local struct tn_hip_thread self;

struct tn_hip_thread *tn_hip_self(void) {
    return &self;
}

const char *tn_hip_text(void) {
    const char *room = tn_face_text_room();
    return room != NULL ? room : "";
}

// ---- configuration

static const char *variable(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL ? value : otherwise;
}

static bool is_set(const char *name) {
    const char *value = variable(name, "");
    return value[0] != '\0' && strcmp(value, "0") != 0;
}

void tn_hip_configure(void) {
    tn_hip_face.compat = strcmp(variable("TARN_HIP_COMPAT", "7"), "6") == 0 ? 6 : 7;
    tn_hip_face.sparse = is_set("TARN_HIP_SPARSE");
    tn_hip_face.log = is_set("TARN_HIP_LOG");
}

// ---- devices

static tarn_status add_device(tarn_device *any, int ordinal) {
    struct tn_hip_device *device = &tn_hip_face.devices[tn_hip_face.count];
    *device = (struct tn_hip_device){.hip = tn_hip_face.count, .tarn_ordinal = ordinal};
    device->info.struct_size = sizeof device->info;
    tarn_status status = tarn_device_sibling(any, ordinal, &device->tarn);
    if (status == TARN_OK) {
        status = tarn_device_query(device->tarn, &device->info);
        tn_hip_face.count++;
    }
    return status;
}

// HIP_VISIBLE_DEVICES: ordinals in the order in which they are shown; the first bad one ends it.
static tarn_status add_visible(tarn_device *any, int count, const char *list) {
    bool shown[TN_HIP_DEVICES] = {false};
    tarn_status status = TARN_OK;
    while (status == TARN_OK) {
        char *end = NULL;
        long ordinal = strtol(list, &end, 10);
        if (end == list || ordinal < 0 || ordinal >= count || shown[ordinal]) {
            break;
        }
        shown[ordinal] = true;
        status = add_device(any, (int)ordinal);
        if (*end != ',') {
            break;
        }
        list = end + 1;
    }
    return status;
}

static tarn_status add_devices(tarn_device *any) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_status status = tarn_device_query(any, &info);
    int count = info.device_count < TN_HIP_DEVICES ? info.device_count : TN_HIP_DEVICES;
    const char *visible = variable("HIP_VISIBLE_DEVICES", getenv("CUDA_VISIBLE_DEVICES"));
    if (status == TARN_OK && visible != NULL) {
        return add_visible(any, count, visible);
    }
    for (int i = 0; i < count && status == TARN_OK; i++) {
        status = add_device(any, i);
    }
    return status;
}

static void close_devices(void) {
    while (tn_hip_face.count > 0) {
        (void)tarn_device_close(tn_hip_face.devices[--tn_hip_face.count].tarn);
    }
}

static int open_devices(void) {
    const char *uri = getenv("TARN_HIP_DEVICE");
    tarn_device *any = NULL;
    if (uri != NULL && strcmp(uri, "none") == 0) {
        return NO_DEVICE;
    }
    tarn_status status = tarn_device_open(uri, &any);
    if (status == TARN_OK) {
        status = add_devices(any);
        if (status != TARN_OK) {
            close_devices();
        }
        (void)tarn_device_close(any);
    }
    if (status != TARN_OK) {
        tarn_error error;
        (void)tarn_last_error(&error);
        (void)snprintf(broken_why, sizeof broken_why, "%s", error.message);
        return BROKEN;
    }
    return tn_hip_face.count > 0 ? READY : NO_DEVICE;
}

static int open_once(void) {
    (void)pthread_mutex_lock(&opening);
    int now = atomic_load_explicit(&state, memory_order_relaxed);
    if (now == UNOPENED) {
        tn_hip_configure();
        now = open_devices();
        tn_face_fork_install();
        atomic_store_explicit(&state, now, memory_order_release);
    }
    (void)pthread_mutex_unlock(&opening);
    return now;
}

struct tn_hip_device *tn_hip_device(int hip) {
    return hip >= 0 && hip < tn_hip_face.count ? &tn_hip_face.devices[hip] : NULL;
}

int tn_hip_ordinal_of(int tarn_ordinal) {
    for (int i = 0; i < tn_hip_face.count; i++) {
        if (tn_hip_face.devices[i].tarn_ordinal == tarn_ordinal) {
            return i;
        }
    }
    return -1;
}

struct tn_hip_device *tn_hip_current(void) {
    return &tn_hip_face.devices[self.device];
}

// The devices belong to the parent. Their records stay where they are, because Tarn keeps them too.
static void forget_devices(void) {
    tn_hip_face.count = 0;
    atomic_store_explicit(&state, UNOPENED, memory_order_relaxed);
}

TN_FACE_ON_FORK(TN_HIP_LOCK_FACE, &opening, forget_devices);

// ---- the frame of public functions

bool tn_hip_ready(void) {
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (__builtin_expect(now == UNOPENED, 0)) {
        now = open_once();
    }
    return now == READY;
}

hipError_t tn_hip_refusal(void) {
    return atomic_load_explicit(&state, memory_order_acquire) == NO_DEVICE
               ? tn_hip_fail(hipErrorNoDevice, "no device is visible to this process")
               : tn_hip_fail(hipErrorNotInitialized, "%s", broken_why);
}

static void log_failure(hipError_t error, const char *function) {
    fprintf(stderr, "tarn: %s: %s: %s\n", function, hipGetErrorName(error),
            tn_hip_text()[0] != '\0' ? tn_hip_text() : hipGetErrorString(error));
}

// A call that fails without a text of its own must not show that of an earlier one.
hipError_t tn_hip_leave(hipError_t error, const char *function) {
    if (__builtin_expect(error == hipSuccess || error == hipErrorNotReady, 1)) {
        return error;
    }
    self.last = error;
    if (tn_hip_face.log) {
        log_failure(error, function);
    }
    return error;
}

hipError_t tn_hip_fail(hipError_t error, const char *format, ...) {
    char *room = tn_face_text_room();
    if (room != NULL) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(room, TN_HIP_TEXT, format, arguments);
        va_end(arguments);
    }
    return error;
}

static hipError_t with_text(hipError_t error) {
    tarn_error last;
    (void)tarn_last_error(&last);
    return tn_hip_fail(error, "%s", last.message);
}

hipError_t tn_hip_from(tarn_status status) {
    switch (status) {
    case TARN_OK:
        return hipSuccess;
    case TARN_NOT_READY:
        return hipErrorNotReady;
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_DEVICE_MEMORY:
    case TARN_NO_ADDRESS_SPACE:
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS:
        return with_text(hipErrorOutOfMemory);
    case TARN_BAD_HANDLE:
        return with_text(hipErrorInvalidHandle);
    case TARN_BAD_DEVICE:
        return with_text(hipErrorInvalidDevice);
    case TARN_UNSUPPORTED:
        return with_text(hipErrorNotSupported);
    case TARN_DEVICE_FAULT:
        return with_text(hipErrorIllegalAddress);
    case TARN_SYSTEM:
        return with_text(hipErrorOperatingSystem);
    case TARN_CORRUPT:
    case TARN_NATIVE:
    case TARN_TIMED_OUT:
    case TARN_BAD_CONFIG:
        return with_text(hipErrorUnknown);
    default:
        return with_text(hipErrorInvalidValue);
    }
}

hipError_t tn_hip_translate(tarn_status status, hipError_t error) {
    hipError_t plain = tn_hip_from(status);
    return plain == hipSuccess || plain == hipErrorOutOfMemory || plain == hipErrorNotSupported
               ? plain
               : error;
}

const char *hipExtGetLastErrorText(void) {
    return tn_hip_text();
}
