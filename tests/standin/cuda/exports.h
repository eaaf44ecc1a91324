// SPDX-License-Identifier: Apache-2.0
// The functions that the stand-in exports, as the back-end's list says them.
#ifndef TARN_STANDIN_CUDA_EXPORTS_H
#define TARN_STANDIN_CUDA_EXPORTS_H

#include "backend/cuda/driver.h"

#define STANDIN_DECLARE(name, symbol, version, parameters)                                         \
    __attribute__((visibility("default"))) tn_cu_result symbol parameters;
TN_CU_BASE_LIST(STANDIN_DECLARE)
TN_CU_VMM_LIST(STANDIN_DECLARE)
TN_CU_POOL_LIST(STANDIN_DECLARE)
TN_CU_MORE_LIST(STANDIN_DECLARE)
TN_CU_LOADER_LIST(STANDIN_DECLARE)
#undef STANDIN_DECLARE

// For tests: the n-th call from now on that takes something fails with OUT_OF_MEMORY; 0: the next
// one, below 0: none. Returns what is left of the former number.
__attribute__((visibility("default"))) long standin_cuda_fail(long n);

// For tests: how many reservations, handles, mappings, blocks, streams and events are alive.
__attribute__((visibility("default"))) unsigned long standin_cuda_alive(void);

#endif
