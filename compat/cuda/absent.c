// SPDX-License-Identifier: Apache-2.0
// Every function of the driver, the runtime and NVML, as a weak definition that fails and names the
// function. A file that implements a function replaces its weak definition, and `nm -D` shows those
// that are left as W. A program that links such a function but never calls it runs. This file includes no
// header of CUDA, whose macros rename functions.
#include "compat/cuda/absent.h"
#include "compat/cuda/cudart.h"
#include "compat/cuda/nvml_list.h"
#include "compat/cuda/symbols.h"

#define ABSENT(function, refuse, name)                                                             \
    __attribute__((weak, visibility("default"))) int function(void);                               \
    int function(void) { return refuse(name); }

#define DRIVER(name)              ABSENT(name, tn_cuda_absent_driver, #name)
#define DRIVER_X(base, suffix, v) DRIVER(base##suffix)
#define DRIVER_Z(base, suffix, v) DRIVER(base##suffix) DRIVER(base##suffix##_ptsz)
#define DRIVER_D(base, suffix, v) DRIVER(base##suffix) DRIVER(base##suffix##_ptds)
TN_CUDA_LIST(DRIVER_X, DRIVER_Z, DRIVER_D)

#define RUNTIME(name)   ABSENT(tn_cudart_##name, tn_cuda_absent_runtime, #name)
#define RUNTIME_X(name) RUNTIME(name) RUNTIME(name##_v12)
#define RUNTIME_Z(name) RUNTIME_X(name) RUNTIME(name##_ptsz) RUNTIME(name##_v12_ptsz)
TN_CUDART_LIST(RUNTIME)
TN_CUDART_CHANGED_LIST(RUNTIME_X, RUNTIME_Z)
TN_CUDART_12_LIST(RUNTIME)

#define NVML(name) ABSENT(tn_nvml_##name, tn_cuda_absent_nvml, #name)
TN_NVML_LIST(NVML)

#define LATER(version) ((version) > 7000 ? (version) : 7000)

#define ENTRY(base, function, since, per_thread)                                                   \
    {#base, (void (*)(void))(function), since, per_thread},
#define ENTRY_X(base, suffix, v) ENTRY(base, base##suffix, v, false)
#define ENTRY_Z(base, suffix, v)                                                                   \
    ENTRY_X(base, suffix, v) ENTRY(base, base##suffix##_ptsz, LATER(v), true)
#define ENTRY_D(base, suffix, v)                                                                   \
    ENTRY_X(base, suffix, v) ENTRY(base, base##suffix##_ptds, LATER(v), true)

const struct tn_cuda_symbol tn_cuda_symbols[] = {TN_CUDA_LIST(ENTRY_X, ENTRY_Z, ENTRY_D)};
const size_t tn_cuda_symbol_count = sizeof tn_cuda_symbols / sizeof tn_cuda_symbols[0];
