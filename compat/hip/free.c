// SPDX-License-Identifier: Apache-2.0
// HIP's functions that free memory. See compat/runtime/memory.h.
#include <hip/detail/memory.h>
#include <hip/detail/pool.h>

#include "compat/hip/face.h"
#include "compat/runtime/memory.h"

hipError_t hipFree(void *ptr) { return TN_HIP_UNCAPTURED_CALL(tn_rt_free(ptr)); }

hipError_t hipHostFree(void *ptr) { return TN_HIP_UNCAPTURED_CALL(tn_rt_free(ptr)); }

hipError_t hipFreeHost(void *ptr) { return TN_HIP_UNCAPTURED_CALL(tn_rt_free(ptr)); }

hipError_t hipFreeAsync(void *dev_ptr, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_free_async(dev_ptr, stream));
}
