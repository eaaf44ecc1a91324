// SPDX-License-Identifier: Apache-2.0
// See face.h.
#include "compat/hip/face.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/hip/lock.h"
#include "compat/hip/soname.h"
#include "compat/runtime/policy.h"

struct tn_hip_face tn_hip_face;

// UNOPENED until a call has opened the devices, or has seen that none is visible. A call that fails
// to open them leaves it UNOPENED, so that the next call tries again.
enum { UNOPENED, READY, NO_DEVICE };
static _Atomic(int) state;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

// The error of this thread's latest tn_hip_ready() that returned false.
static _Thread_local tn_rt_error refusal;

static _Thread_local int current_ordinal;

// ---- configuration

static const char *variable_or(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL ? value : otherwise;
}

static bool is_set(const char *name) {
    const char *value = variable_or(name, "");
    return value[0] != '\0' && strcmp(value, "0") != 0;
}

// Reads it once, because later calls read the values without the lock.
static void read_environment(void) {
    static bool is_read;
    if (is_read) {
        return;
    }
    is_read = true;
    const char *level = variable_or("TARN_HIP_COMPAT", "");
    tn_hip_face.compat = strcmp(level, "6") == 0 ? 6 : strcmp(level, "7") == 0 ? 7 : tn_hip_soname;
    tn_hip_face.sparse = is_set("TARN_HIP_SPARSE");
    tn_hip_set_codes(&tn_rt_policy);
    tn_rt_policy.log = is_set("TARN_HIP_LOG");
    tn_rt_policy.keeps_every_result = tn_hip_face.compat == 6;
}

int tn_hip_level(void) {
    (void)pthread_mutex_lock(&opening);
    read_environment();
    (void)pthread_mutex_unlock(&opening);
    return tn_hip_face.compat;
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

// `list` is HIP_VISIBLE_DEVICES: ordinals in the order in which programs see them. The list ends at
// the first ordinal that is invalid or repeated.
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
    const char *visible = variable_or("HIP_VISIBLE_DEVICES", getenv("CUDA_VISIBLE_DEVICES"));
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

// Decides the refusal of the calling thread before the devices are closed, which forgets the reason.
static int refuse_devices(tarn_status status) {
    tn_rt_error error = tn_rt_from(status);
    refusal = error == TN_RT_OUT_OF_MEMORY ? error : TN_RT_NOT_INITIALIZED;
    close_devices();
    return UNOPENED;
}

static int open_devices(void) {
    const char *uri = getenv("TARN_HIP_DEVICE");
    tarn_device *any = NULL;
    if (uri != NULL && strcmp(uri, "none") == 0) {
        return NO_DEVICE;
    }
    tarn_status status = tarn_device_open(uri, &any);
    if (status != TARN_OK) {
        return refuse_devices(status);
    }
    status = add_devices(any);
    int result = status != TARN_OK       ? refuse_devices(status)
                 : tn_hip_face.count > 0 ? READY
                                         : NO_DEVICE;
    (void)tarn_device_close(any);
    return result;
}

static int open_once(void) {
    (void)pthread_mutex_lock(&opening);
    int now = atomic_load_explicit(&state, memory_order_relaxed);
    if (now == UNOPENED) {
        read_environment();
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

tn_rt_error tn_hip_check_device(int hip) {
    return tn_hip_device(hip) != NULL
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_DEVICE, "no device %d, there are %d", hip,
                            tn_hip_face.count);
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
    return &tn_hip_face.devices[current_ordinal];
}

void tn_hip_set_current(int hip) {
    current_ordinal = hip;
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
    if (__builtin_expect(now == NO_DEVICE, 0)) {
        refusal = tn_rt_fail(TN_RT_NO_DEVICE, "no device is visible to this process");
    }
    return now == READY;
}

tn_rt_error tn_hip_refusal(void) {
    return refusal;
}
