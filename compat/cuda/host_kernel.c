// SPDX-License-Identifier: Apache-2.0
// The functions by which kernels that were compiled for the host reach the library, and variables
// that they use. The driver library exports them. See kernel/launch.h.
#include "compat/cuda/face.h"
#include "compat/runtime/code/kernel_query.h"
#include "compat/runtime/code/variable.h"

#pragma GCC visibility push(default)
#include <cuda/detail/host_kernel.h>
#pragma GCC visibility pop

#define KERNEL_CALL_(work) TN_FACE_CALL(tn_cudart, work)
#include "compat/runtime/entries.h"

const char *cudaExtKernelName(const void *function) { return tn_rt_kernel_name(function); }

cudaError_t cudaExtRegisterHostVariable(const void *symbol, size_t bytes) {
    return KERNEL_CALL_(tn_rt_variable_register(symbol, bytes));
}
