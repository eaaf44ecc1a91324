// SPDX-License-Identifier: Apache-2.0
// The functions that the stand-in exports, from the back-end's list.
#pragma once

#include <stdbool.h>

#include "backend/cuda/driver.h"

#define STANDIN_DECLARE(name, symbol, version, parameters)                                         \
    __attribute__((visibility("default"))) tn_cu_result symbol parameters;
TN_CU_BASE_LIST(STANDIN_DECLARE)
TN_CU_VMM_LIST(STANDIN_DECLARE)
TN_CU_POOL_LIST(STANDIN_DECLARE)
TN_CU_MORE_LIST(STANDIN_DECLARE)
TN_CU_LOADER_LIST(STANDIN_DECLARE)
#undef STANDIN_DECLARE
__attribute__((visibility("default"))) tn_cu_result cuDevicePrimaryCtxRelease(tn_cu_device device);
__attribute__((visibility("default"))) tn_cu_result cuMemAlloc(unsigned *address, unsigned bytes);

// For tests: the n-th following call that allocates fails with OUT_OF_MEMORY. 0: the next one;
// below 0: none. Returns the remainder of the previous number.
__attribute__((visibility("default"))) long standin_cuda_fail(long n);

// For tests: returns the number of live reservations, handles, mappings, blocks, streams and
// events.
__attribute__((visibility("default"))) unsigned long standin_cuda_alive(void);
