// SPDX-License-Identifier: Apache-2.0
// The driver once it is loaded: its functions and, for each device, the primary context, which is
// the one that frameworks use. Lives as long as the process. Functions are written once, before
// anybody else sees them; contexts are retained when a device is first used, and any thread may be
// first.
#ifndef TARN_BACKEND_CUDA_API_H
#define TARN_BACKEND_CUDA_API_H

#include "backend/cuda/driver.h"
#include "backend/vendor/driver.h"
#include "base/atomic.h"
#include "base/lock.h"

#define TN_CUDA_DEVICES_MAX 32

struct tn_cuda {
#define TN_CUDA_FIELD(name, symbol, version, parameters) tn_cu_result(*name) parameters;
    TN_CU_BASE_LIST(TN_CUDA_FIELD)
    TN_CU_VMM_LIST(TN_CUDA_FIELD)
    TN_CU_POOL_LIST(TN_CUDA_FIELD)
    TN_CU_LOADER_LIST(TN_CUDA_FIELD)
#undef TN_CUDA_FIELD
    _Atomic(tn_cu_context) contexts[TN_CUDA_DEVICES_MAX]; // NULL: not retained
};

// A call of the driver by its name.
#define TN_CUDA_CALL(cuda, name, ...) ((struct tn_native){(cuda)->name(__VA_ARGS__), #name})

// Finds the functions and starts the driver: the slot `load`.
tarn_status tn_cuda_load(const struct tn_library *library, struct tn_vendor_driver *driver,
                         void **d);

// The one place that says what a result of the driver means.
tarn_status tn_cuda_status(int64_t code);
const char *tn_cuda_error_name(void *d, int64_t code);

// The primary context of a device, retained at the first call.
struct tn_native tn_cuda_context(struct tn_cuda *cuda, int device, tn_cu_context *context);

#endif
