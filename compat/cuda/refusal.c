// SPDX-License-Identifier: Apache-2.0
// The answer of functions that are not implemented; see absent.h.
#include "compat/cuda/absent.h"
#include "compat/cuda/face.h"

static tn_rt_error refuse_absent(const char *function) {
    tn_cu_set_policy();
    return tn_rt_fail(TN_RT_NOT_SUPPORTED, "%s() is not in this library", function);
}

int tn_cuda_absent_driver(const char *function) {
    return (int)tn_cu_leave(refuse_absent(function), function);
}

int tn_cuda_absent_runtime(const char *function) {
    return (int)tn_cudart_leave(refuse_absent(function), function);
}

int tn_cuda_absent_nvml(const char *function) {
    (void)tn_rt_log(refuse_absent(function), function);
    return 3; // not supported
}
