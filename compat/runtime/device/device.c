// SPDX-License-Identifier: Apache-2.0
// See device.h. One lock is held while they are opened.
#include "compat/runtime/device/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/face/fidelity.h"
#include "compat/face/log.h"
#include "compat/face/scope.h"
#include "compat/face/variable.h"
#include "compat/runtime/base/lock.h"
#include "compat/runtime/device/policy.h"

struct tn_rt_device_policy tn_rt_device_policy;

struct tn_face_devices tn_rt_devices;
_Atomic(int) tn_rt_devices_state;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

// The error of this thread's latest tn_rt_open() that returned false.
static _Thread_local tn_rt_error refusal;

static _Thread_local unsigned current_owner;

// Returns the name of the variable that selects devices, or NULL. An empty list hides all, as those of the
// vendors do.
static const char *visible_devices(void) {
    const char *found = NULL;
    for (size_t i = 0; i < 2 && found == NULL && tn_rt_device_policy.visible_variables[i] != NULL;
         i++)
        if (getenv(tn_rt_device_policy.visible_variables[i]) != NULL)
            found = tn_rt_device_policy.visible_variables[i];
    return found;
}

// Returns the name with the granularity of the policy, in `room`, where that applies.
static const char *add_granularity(const char *name, char *room, size_t size) {
    const char *given = getenv("TARN_HOST");
    if (tn_rt_device_policy.granularity == NULL ||
        (given != NULL && strstr(given, "granularity") != NULL))
        return name;
    if (name == NULL || name[0] == '\0') name = getenv("TARN_DEVICE");
    if (name == NULL || name[0] == '\0') name = "host:0";
    if (strncmp(name, "host:", 5) != 0 || strstr(name, "granularity=") != NULL) return name;
    int bytes = snprintf(room, size, "%s,granularity=%s", name, tn_rt_device_policy.granularity);
    return bytes > 0 && (size_t)bytes < size ? room : name;
}

// Opens the devices of a list, or all if it is NULL. Opens none for the device "none".
static tn_rt_error open_platform(struct tn_face_devices *devices, const char *visible) {
    char room[1024];
    const char *name = tn_face_variable(tn_rt_device_policy.device_variable, NULL);
    if (tn_rt_device_policy.wrong[0] != '\0') {
        tn_log_refusal(tn_rt_device_policy.wrong);
        return tn_rt_fail(TN_RT_NOT_INITIALIZED, "%s", tn_rt_device_policy.wrong);
    }
    if (name != NULL && strcmp(name, "none") == 0) return TN_RT_OK;
    name = add_granularity(name, room, sizeof room);
    tarn_status status = tn_face_devices_open(devices, TN_RT_DEVICES, name, visible);
    tn_rt_error error = tn_rt_error_of(status);
    if (error == TN_RT_OK) return TN_RT_OK;
    char reason[TN_RT_TEXT];
    tn_face_devices_refuse(tn_rt_device_policy.device_variable, status, reason, sizeof reason);
    tn_face_devices_close(devices); // it forgets the reason
    return tn_rt_fail(error == TN_RT_OUT_OF_MEMORY ? error : TN_RT_NOT_INITIALIZED, "%s", reason);
}

tn_rt_error tn_rt_open_all(struct tn_face_devices *devices) { return open_platform(devices, NULL); }

static int open_devices(void) {
    tn_rt_error error = open_platform(&tn_rt_devices, visible_devices());
    if (error == TN_RT_OK)
        return tn_rt_devices.count > 0 ? TN_RT_DEVICES_READY : TN_RT_DEVICES_ABSENT;
    refusal = error;
    return TN_RT_DEVICES_UNOPENED;
}

static int open_once(void) {
    TN_FACE_LOCKED(&opening);
    int now = atomic_load_explicit(&tn_rt_devices_state, memory_order_relaxed);
    if (now == TN_RT_DEVICES_UNOPENED) {
        static pid_t opener;
        TN_FACE_DIFFERS(fork, opener != 0 && opener != getpid());
        opener = getpid();
        now = open_devices();
        tn_face_fork_install();
        atomic_store_explicit(&tn_rt_devices_state, now, memory_order_release);
    }
    return now;
}

bool tn_rt_open(void) {
    int now = atomic_load_explicit(&tn_rt_devices_state, memory_order_acquire);
    if (now == TN_RT_DEVICES_UNOPENED) now = open_once();
    if (now == TN_RT_DEVICES_ABSENT) {
        const char *variable = visible_devices();
        refusal =
            tn_rt_fail(TN_RT_NO_DEVICE, "no device is visible to this process%s%s%s%.100s%s",
                       variable != NULL ? ": environment variable " : "",
                       variable != NULL ? variable : "", variable != NULL ? " is \"" : "",
                       variable != NULL ? getenv(variable) : "", variable != NULL ? "\"" : "");
    }
    return now == TN_RT_DEVICES_READY;
}

tn_rt_error tn_rt_refusal(void) { return refusal; }

tn_rt_error tn_rt_check_device(int ordinal) {
    return tn_rt_device(ordinal) != NULL
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_DEVICE, "no device %d, there are %d", ordinal,
                            tn_rt_devices.count);
}

static _Atomic(int) failures[TN_RT_DEVICES]; // tn_rt_error
_Atomic(unsigned) tn_rt_contexts_ended;
_Atomic(uintptr_t) tn_rt_primary_contexts[TN_RT_DEVICES];
_Atomic(uintptr_t) tn_rt_numbered_contexts[TN_RT_CONTEXTS];

// Failures that end a context, whichever stream had them.
static bool is_lasting(tn_rt_error error) {
    return error == TN_RT_ILLEGAL_ADDRESS || error == TN_RT_ASSERT || error == TN_RT_LAUNCH_FAILURE;
}

void tn_rt_device_fail(int ordinal, tn_rt_error error) {
    int none = TN_RT_OK;
    if (!tn_rt_device_policy.device_keeps_failures || !is_lasting(error)) return;
    if (atomic_compare_exchange_strong(&failures[ordinal], &none, (int)error))
        (void)atomic_fetch_add_explicit(&tn_rt_contexts_ended, 1, memory_order_release);
}

void tn_rt_device_heal(int ordinal) { failures[ordinal] = TN_RT_OK; }

tn_rt_error tn_rt_device_failure(int ordinal) {
    tn_rt_error failure = (tn_rt_error)failures[ordinal];
    TN_RT_REFUSE(failure != TN_RT_OK, failure, "earlier work of device %d failed", ordinal);
    return TN_RT_OK;
}

int tn_rt_ordinal_of(int number) {
    const struct tn_face_device *device = tn_face_device_of(&tn_rt_devices, number);
    return device != NULL ? device->ordinal : -1;
}

tn_rt_error tn_rt_location(int type, int id, tarn_location *location) {
    TN_RT_REFUSE(type < (int)TARN_LOCATION_DEVICE || type > (int)TARN_LOCATION_HOST_NUMA_CURRENT,
                 TN_RT_INVALID_VALUE, "location type %d is unknown", type);
    *location = (tarn_location){(tarn_location_type)type, id};
    if (type == (int)TARN_LOCATION_DEVICE) {
        TN_RT_TRY(tn_rt_check_device(id));
        location->id = tn_rt_device(id)->number;
    }
    return TN_RT_OK;
}

bool tn_rt_has_fabric(void) {
    tarn_setting setting;
    if (!tn_rt_device_policy.fabric) return false;
    for (unsigned i = 0;
         tarn_device_query_setting(tn_rt_devices.of[0].tarn, i, &setting) == TARN_OK; i++)
        if (strcmp(setting.key, "fabric") == 0) return strcmp(setting.value, "on") == 0;
    return false;
}

struct tn_face_device *tn_rt_current(void) {
    return &tn_rt_devices.of[current_owner % TN_RT_DEVICES];
}

unsigned tn_rt_current_owner(void) { return current_owner; }

void tn_rt_set_current(unsigned owner) { current_owner = owner; }

// The devices belong to the parent. Their records stay where they are, because Tarn keeps them too.
static void forget_devices(void) {
    tn_rt_devices.count = 0;
    atomic_store_explicit(&tn_rt_devices_state, TN_RT_DEVICES_UNOPENED, memory_order_relaxed);
}

// ---- functions of the program in stream order

static _Thread_local bool in_function;

void tn_rt_function_mark(bool runs) { in_function = runs; }

tn_rt_error tn_rt_function_check(void) {
    TN_RT_REFUSE(tn_rt_device_policy.functions_make_no_calls && in_function, TN_RT_NOT_PERMITTED,
                 "a function in stream order cannot allocate, free or wait");
    return TN_RT_OK;
}

TN_FACE_ON_FORK(TN_RT_LOCK_DEVICES, &opening, forget_devices);
