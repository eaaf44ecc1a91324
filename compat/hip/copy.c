// SPDX-License-Identifier: Apache-2.0
// hipMemcpy() and the other one-dimensional copies. See compat/runtime/copy_rows.h.
#include <hip/detail/copy.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy_rows.h"

_Static_assert((int)hipMemcpyHostToHost == TN_RT_COPY_HOST_TO_HOST &&
                   (int)hipMemcpyHostToDevice == TN_RT_COPY_HOST_TO_DEVICE &&
                   (int)hipMemcpyDeviceToHost == TN_RT_COPY_DEVICE_TO_HOST &&
                   (int)hipMemcpyDeviceToDevice == TN_RT_COPY_ON_DEVICE &&
                   (int)hipMemcpyDefault == TN_RT_COPY_DEFAULT,
               "kinds have the same numbers");

static tn_rt_error copy_in_order(void *dst, const void *src, size_t size, int kind, void *stream) {
    return tn_rt_copy_linear(dst, src, size, kind, stream, TN_RT_COPY_SYNC);
}

TN_HIP_ROW(hipMemcpyWithStream, copy_in_order, void *, const void *, size_t, hipMemcpyKind,
           hipStream_t)

// ---- with the direction in the name

#define DIRECTION(name, kind)                                                                      \
    static tn_rt_error name(void *dst, const void *src, size_t size) {                             \
        return tn_rt_copy_sync(dst, src, size, kind);                                              \
    }                                                                                              \
    static tn_rt_error name##_async(void *dst, const void *src, size_t size, void *stream) {       \
        return tn_rt_copy_async(dst, src, size, kind, stream);                                     \
    }

DIRECTION(to_device, TN_RT_COPY_HOST_TO_DEVICE)
DIRECTION(to_host, TN_RT_COPY_DEVICE_TO_HOST)
DIRECTION(on_device, TN_RT_COPY_ON_DEVICE)

TN_HIP_ROW(hipMemcpyHtoD, to_device, hipDeviceptr_t, const void *, size_t)
TN_HIP_ROW(hipMemcpyDtoH, to_host, void *, hipDeviceptr_t, size_t)
TN_HIP_ROW(hipMemcpyDtoD, on_device, hipDeviceptr_t, hipDeviceptr_t, size_t)
TN_HIP_ROW(hipMemcpyHtoDAsync, to_device_async, hipDeviceptr_t, const void *, size_t, hipStream_t)
TN_HIP_ROW(hipMemcpyDtoHAsync, to_host_async, void *, hipDeviceptr_t, size_t, hipStream_t)
TN_HIP_ROW(hipMemcpyDtoDAsync, on_device_async, hipDeviceptr_t, hipDeviceptr_t, size_t, hipStream_t)
