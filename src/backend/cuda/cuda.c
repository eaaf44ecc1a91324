// SPDX-License-Identifier: Apache-2.0
// See cuda.h: the driver's functions in the shape that all vendors have here, but for memory
// (memory.c) and work (work.c).
#include "backend/cuda/cuda.h"

#include <string.h>

#include "backend/cuda/parts.h"
#include "backend/vendor/vendor.h"

// ---- contexts

struct tn_native tn_cuda_context(struct tn_cuda *cuda, int device, tn_cu_context *context) {
    tn_cu_context got = tn_load_acquire(&cuda->contexts[device]);
    struct tn_native answer = TN_NATIVE_OK;
    if (got == NULL) {
        answer = TN_CUDA_CALL(cuda, cuDevicePrimaryCtxRetain, &got, device);
        tn_cu_context none = NULL;
        if (tn_native_ok(answer) &&
            !atomic_compare_exchange_strong(&cuda->contexts[device], &none, got)) {
            (void)cuda->cuDevicePrimaryCtxRelease(device); // another thread was first
        }
    }
    *context = got;
    return answer;
}

// Pushed and popped, so that whatever the caller had stays beneath.
static struct tn_native enter(void *d, int device, struct tn_vendor_saved *saved) {
    struct tn_cuda *cuda = d;
    tn_cu_context context = NULL;
    struct tn_native answer = tn_cuda_context(cuda, device, &context);
    if (tn_native_ok(answer)) {
        answer = TN_CUDA_CALL(cuda, cuCtxPushCurrent, context);
    }
    saved->changed = tn_native_ok(answer);
    return answer;
}

static void leave(void *d, const struct tn_vendor_saved *saved) {
    const struct tn_cuda *cuda = d;
    tn_cu_context ours = NULL;
    if (saved->changed) {
        (void)cuda->cuCtxPopCurrent(&ours);
    }
}

// Frameworks in this process have retained the context themselves, if they use it.
static void rest(void *d) {
    struct tn_cuda *cuda = d;
    for (int i = 0; i < TN_CUDA_DEVICES_MAX; i++) {
        if (atomic_exchange(&cuda->contexts[i], NULL) != NULL) {
            (void)cuda->cuDevicePrimaryCtxRelease(i);
        }
    }
}

// ---- devices: the driver numbers them as it counts them

static struct tn_native device_count(void *d, int *count) {
    const struct tn_cuda *cuda = d;
    int found = 0;
    struct tn_native answer = TN_CUDA_CALL(cuda, cuDeviceGetCount, &found);
    if (tn_native_ok(answer)) {
        *count = found < TN_CUDA_DEVICES_MAX ? found : TN_CUDA_DEVICES_MAX;
    }
    return answer;
}

// No granularity: no virtual memory. Whether it works is found by trying it.
static void ask_granularity(const struct tn_cuda *cuda, int device,
                            struct tn_vendor_device_info *about) {
    const tn_cu_properties own = {.type = TN_CU_PINNED,
                                  .location = {TN_CU_LOCATION_DEVICE, device}};
    size_t least = 0;
    size_t best = 0;
    if (cuda->cuMemGetAllocationGranularity == NULL ||
        cuda->cuMemGetAllocationGranularity(&least, &own, TN_CU_GRANULARITY_MINIMUM) != 0 ||
        cuda->cuMemGetAllocationGranularity(&best, &own, TN_CU_GRANULARITY_RECOMMENDED) != 0) {
        return;
    }
    about->granularity_minimum = least;
    about->granularity_recommended = best;
}

static struct tn_native about(void *d, int device, struct tn_vendor_device_info *out) {
    const struct tn_cuda *cuda = d;
    struct tn_vendor_device_info found = {.granularity_minimum = 0};
    struct tn_native answer =
        TN_CUDA_CALL(cuda, cuDeviceGetName, found.name, (int)sizeof found.name, device);
    if (tn_native_ok(answer)) {
        found.name[sizeof found.name - 1] = '\0';
        ask_granularity(cuda, device, &found);
        *out = found;
    }
    return answer;
}

// ---- peers

static struct tn_native peer_can(void *d, int device, int peer, bool *can) {
    const struct tn_cuda *cuda = d;
    int yes = 0;
    struct tn_native answer = TN_CUDA_CALL(cuda, cuDeviceCanAccessPeer, &yes, device, peer);
    if (tn_native_ok(answer)) {
        *can = yes != 0;
    }
    return answer;
}

static struct tn_native peer_set(void *d, int peer, bool enabled) {
    struct tn_cuda *cuda = d;
    tn_cu_context context = NULL;
    struct tn_native answer = tn_cuda_context(cuda, peer, &context);
    if (tn_native_ok(answer)) {
        answer = enabled ? TN_CUDA_CALL(cuda, cuCtxEnablePeerAccess, context, 0)
                         : TN_CUDA_CALL(cuda, cuCtxDisablePeerAccess, context);
    }
    // A framework in this process may have done it before us.
    bool so_already = answer.code == TN_CU_PEER_ACCESS_ALREADY_ENABLED ||
                      answer.code == TN_CU_PEER_ACCESS_NOT_ENABLED;
    return so_already ? TN_NATIVE_OK : answer;
}

// ---- the table

static const char *const sonames[] = {"libcuda.so.1", NULL};

static const struct tn_vendor_driver driver = {
    .name = "cuda",
    .options_variable = "TARN_CUDA",
    .library_variable = "TARN_CUDA_LIBRARY",
    .sonames = sonames,
    .symbol = "cuInit",
    .load = tn_cuda_load,
    .rest = rest,
    .spans = true,
    .shareable = TARN_SHAREABLE_FD,
    .features_possible = TARN_FEATURE_HOST_ACCESS | TARN_FEATURE_HOST_PHYS,
    .status_of = tn_cuda_status,
    .error_name = tn_cuda_error_name,
    .device_count = device_count,
    .about = about,
    .enter = enter,
    .leave = leave,
    .peer_can = peer_can,
    .peer_set = peer_set,
    TN_CUDA_MEMORY_FUNCTIONS,
    TN_CUDA_WORK_FUNCTIONS,
};

static tarn_status platform_open(const char *options, void **p) {
    return tn_vendor_open(&driver, options, p);
}

const tarn_backend tn_backend_cuda = {
    TN_VENDOR_SLOTS,
    .name = "cuda",
    .summary = "NVIDIA's cards by CUDA's driver API, opened at run time",
    .platform_open = platform_open,
};
