// SPDX-License-Identifier: Apache-2.0
// The loaded driver: its functions, and the primary context of each device, which frameworks use as
// well. It lives as long as the process. The functions are written once, before another thread can
// see them. The first thread that uses a device retains its context.
#pragma once

#include <cuda.h>

#include "backend/cuda/driver.h"
#include "backend/vendor/driver.h"
#include "base/lock.h"

#define TN_CUDA_DEVICES_MAX 32

struct tn_cuda {
#define TN_CUDA_FIELD(name, symbol, version) __typeof__(symbol) *name;
    TN_CU_BASE_LIST(TN_CUDA_FIELD)
    TN_CU_VMM_LIST(TN_CUDA_FIELD)
    TN_CU_POOL_LIST(TN_CUDA_FIELD)
#undef TN_CUDA_FIELD
    // The function that finds the others, and its form before CUDA 12.
    __typeof__(cuGetProcAddress_v2) *find;
    CUresult (*find_before_12)(const char *name, void **function, int version, cuuint64_t flags);
    _Atomic(CUcontext) contexts[TN_CUDA_DEVICES_MAX]; // NULL: not retained
};

// Calls a function of the driver. `d` is a struct tn_cuda, as the slots get it.
#define TN_CUDA_CALL(d, name, ...)                                                                 \
    ((struct tn_native){((const struct tn_cuda *)(d))->name(__VA_ARGS__), #name})

// The slot `load`: finds the functions and starts the driver.
tarn_status tn_cuda_load(const struct tn_library *library, struct tn_vendor_driver *driver,
                         void **d);

// The status of a result, and its name. Every result is converted here.
tarn_status tn_cuda_status(int64_t code);
const char *tn_cuda_error_name(void *d, int64_t code);
