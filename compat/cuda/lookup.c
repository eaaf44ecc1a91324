// SPDX-License-Identifier: Apache-2.0
// Functions by name and version, and the answer of those that are not there: see absent.h.
#include "compat/runtime/error.h"

#include "compat/cuda/absent.h"

static tn_rt_error refuse(const char *function) {
    return tn_rt_fail(TN_RT_NOT_SUPPORTED, "%s() is not in this library", function);
}

int tn_cuda_absent_driver(const char *function) {
    return (int)tn_rt_unkept(tn_rt_leave(refuse(function), function));
}

int tn_cuda_absent_runtime(const char *function) {
    return (int)tn_rt_leave(refuse(function), function);
}

int tn_cuda_absent_nvml(const char *function) {
    (void)tn_rt_leave(refuse(function), function);
    return 3; // not supported
}
