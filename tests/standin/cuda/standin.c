// SPDX-License-Identifier: Apache-2.0
// Settings, devices, and the start of every function: see standin.h.
#include "standin/cuda/standin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/face/fork.h"

#include "standin/cuda/parts.h"

struct standin standin;

enum { FRESH, READY, NO_DEVICE, BROKEN, FORKED };
static _Atomic(int) state;
static _Atomic(bool) configured;
static _Atomic(bool) initialized; // cuInit() was called
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local bool in_host_function;

// ---- settings

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

static uint32_t read_without(void) {
    static const struct {
        const char *word;
        uint32_t part;
    } words[] = {{"vmm", STANDIN_NO_VMM},
                 {"fd", STANDIN_NO_FD},
                 {"pools", STANDIN_NO_POOLS},
                 {"procaddress", STANDIN_NO_PROC_ADDRESS},
                 {"peer", STANDIN_NO_PEER}};
    const char *list = getenv("TARN_STANDIN_CUDA_WITHOUT");
    uint32_t parts = 0;
    for (size_t i = 0; list != NULL && i < sizeof words / sizeof words[0]; i++)
        parts |= strstr(list, words[i].word) != NULL ? words[i].part : 0;
    return parts;
}

static void configure(void) {
    (void)pthread_mutex_lock(&opening);
    if (!atomic_load(&configured)) {
        const char *version = getenv("TARN_STANDIN_CUDA_VERSION");
        standin.version = version != NULL ? atoi(version) : 13000;
        standin.stub = is_set("TARN_STANDIN_CUDA_STUB");
        standin.host_access = is_set("TARN_STANDIN_CUDA_HOST");
        standin.without = read_without();
        atomic_store(&configured, true);
    }
    (void)pthread_mutex_unlock(&opening);
}

// ---- devices

static tarn_status add_device(tarn_device *any, int ordinal) {
    struct standin_device *device = &standin.devices[ordinal];
    device->ordinal = ordinal;
    device->info.struct_size = sizeof device->info;
    tarn_status status = tarn_device_sibling(any, ordinal, &device->tarn);
    return status == TARN_OK ? tarn_device_query(device->tarn, &device->info) : status;
}

// The CPU cannot access device memory, unless the setting makes this machine one where it
// does.
static const char *device_name(void) {
    const char *name = getenv("TARN_STANDIN_CUDA_DEVICE");
    return name != NULL && name[0] != '\0' ? name : "host:0,access=strict";
}

static int open_devices(void) {
    tarn_device *any = NULL;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    if (strcmp(device_name(), "none") == 0) return NO_DEVICE;
    tarn_status status = tarn_device_open(device_name(), &any);
    if (status != TARN_OK) return BROKEN;
    status = tarn_device_query(any, &info);
    int count = info.device_count < STANDIN_DEVICES ? info.device_count : STANDIN_DEVICES;
    for (int i = 0; i < count && status == TARN_OK; i++) status = add_device(any, i);
    standin.count = count;
    (void)tarn_device_close(any);
    return status == TARN_OK ? READY : BROKEN;
}

// ---- fork

static void forget_devices(void) { atomic_store(&state, FORKED); }

TN_FACE_ON_FORK(STANDIN_FORK_STATE, &opening, forget_devices);

// ---- the start of every function

tn_cu_result cuInit(unsigned flags) {
    configure();
    if (standin.stub) return TN_CU_STUB_LIBRARY;
    if (flags != 0) return TN_CU_INVALID_VALUE;
    (void)pthread_mutex_lock(&opening);
    if (atomic_load(&state) == FRESH) {
        atomic_store(&state, open_devices());
        tn_face_fork_install();
    }
    int now = atomic_load(&state);
    (void)pthread_mutex_unlock(&opening);
    atomic_store(&initialized, now == READY);
    switch (now) {
    case READY: return TN_CU_SUCCESS;
    case NO_DEVICE: return TN_CU_NO_DEVICE;
    case FORKED: return TN_CU_NOT_INITIALIZED;
    default: return TN_CU_UNKNOWN;
    }
}

tn_cu_result standin_enter(void) {
    configure();
    if (standin.stub) return TN_CU_STUB_LIBRARY;
    if (in_host_function) return TN_CU_NOT_PERMITTED;
    return atomic_load(&initialized) && atomic_load(&state) == READY ? TN_CU_SUCCESS
                                                                     : TN_CU_NOT_INITIALIZED;
}

tn_cu_result standin_enter_with(uint32_t part) {
    tn_cu_result result = standin_enter();
    return result == TN_CU_SUCCESS && (standin.without & part) != 0 ? TN_CU_NOT_SUPPORTED : result;
}

tn_cu_result standin_enter_context(struct standin_context **context) {
    tn_cu_result result = standin_enter();
    if (result != TN_CU_SUCCESS) return result;
    *context = standin_current();
    if (*context == NULL) return TN_CU_INVALID_CONTEXT;
    return (tn_cu_result)atomic_load(&(*context)->dead);
}

static _Atomic(long) countdown = -1;

long standin_cuda_fail(long n) { return atomic_exchange(&countdown, n); }

tn_cu_result standin_take(tn_cu_result entered) {
    if (entered != TN_CU_SUCCESS || atomic_load(&countdown) < 0) return entered;
    return atomic_fetch_sub(&countdown, 1) == 0 ? TN_CU_OUT_OF_MEMORY : TN_CU_SUCCESS;
}

unsigned long standin_cuda_alive(void) {
    tarn_platform_stats stats = {.struct_size = sizeof stats};
    if (atomic_load(&state) != READY ||
        tarn_platform_query_stats(standin.devices[0].tarn, &stats) != TARN_OK)
        return 0;
    return (unsigned long)(stats.reservations + stats.handles + stats.mappings +
                           stats.memory_blocks + stats.host_blocks + stats.streams + stats.events);
}

bool standin_is_stub(void) {
    configure();
    return standin.stub;
}

void standin_run_host_function(void (*fn)(void *), void *arg) {
    bool before = in_host_function;
    in_host_function = true;
    fn(arg);
    in_host_function = before;
}

// ---- results

tn_cu_result standin_from(tarn_status status, struct standin_context *context) {
    switch (status) {
    case TARN_OK: return TN_CU_SUCCESS;
    case TARN_NOT_READY: return TN_CU_NOT_READY;
    case TARN_NO_HOST_MEMORY:
    case TARN_NO_DEVICE_MEMORY:
    case TARN_NO_ADDRESS_SPACE:
    case TARN_NO_HANDLES:
    case TARN_NO_MAPPINGS: return TN_CU_OUT_OF_MEMORY;
    case TARN_BAD_HANDLE: return TN_CU_INVALID_HANDLE;
    case TARN_BAD_DEVICE: return TN_CU_INVALID_DEVICE;
    case TARN_UNSUPPORTED: return TN_CU_NOT_SUPPORTED;
    case TARN_DEVICE_FAILED:
        if (context != NULL) atomic_store(&context->dead, TN_CU_ILLEGAL_ADDRESS);
        return TN_CU_ILLEGAL_ADDRESS;
    case TARN_SYSTEM: return TN_CU_OPERATING_SYSTEM;
    case TARN_CORRUPT:
    case TARN_NATIVE:
    case TARN_TIMED_OUT:
    case TARN_BAD_CONFIG: return TN_CU_UNKNOWN;
    default: return TN_CU_INVALID_VALUE;
    }
}

tn_cu_result standin_from_address(tarn_status status, struct standin_context *context) {
    tn_cu_result result = standin_from(status, context);
    bool kept = result == TN_CU_SUCCESS || result == TN_CU_OUT_OF_MEMORY ||
                result == TN_CU_NOT_SUPPORTED || result == TN_CU_ILLEGAL_ADDRESS;
    return kept ? result : TN_CU_INVALID_VALUE;
}

_Static_assert((int)TN_CU_LOCATION_DEVICE == (int)TARN_LOCATION_DEVICE &&
                   (int)TN_CU_LOCATION_HOST_NUMA_CURRENT == (int)TARN_LOCATION_HOST_NUMA_CURRENT,
               "locations have the same numbers");

tn_cu_result standin_location(tn_cu_location given, tarn_location *location) {
    if (given.type < TN_CU_LOCATION_DEVICE || given.type > TN_CU_LOCATION_HOST_NUMA_CURRENT)
        return TN_CU_INVALID_VALUE;
    *location = (tarn_location){(tarn_location_type)given.type, given.id};
    return given.type == TN_CU_LOCATION_DEVICE && standin_device_of(given.id) == NULL
               ? TN_CU_INVALID_DEVICE
               : TN_CU_SUCCESS;
}
