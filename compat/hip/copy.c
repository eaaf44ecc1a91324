// SPDX-License-Identifier: Apache-2.0
// hipMemcpy() and the other one-dimensional copies. See compat/runtime/copy/copy_rows.h.
#include <hip/detail/copy.h>

#include "compat/hip/face.h"
#include "compat/runtime/copy/copy_rows.h"

_Static_assert((int)hipMemcpyHostToHost == TN_RT_COPY_HOST_TO_HOST &&
                   (int)hipMemcpyHostToDevice == TN_RT_COPY_HOST_TO_DEVICE &&
                   (int)hipMemcpyDeviceToHost == TN_RT_COPY_DEVICE_TO_HOST &&
                   (int)hipMemcpyDeviceToDevice == TN_RT_COPY_ON_DEVICE &&
                   (int)hipMemcpyDefault == TN_RT_COPY_DEFAULT,
               "kinds have the same numbers");

TN_HIP_ROW(hipMemcpyWithStream,
           TN_FACE_EXPRESSION(tn_rt_copy_linear(dst, src, sizeBytes, kind, stream,
                                                TN_RT_COPY_SYNC)),
           void *, dst, const void *, src, size_t, sizeBytes, hipMemcpyKind, kind, hipStream_t,
           stream)

// ---- with the direction in the name

#define DIRECTION(name, kind)                                                                      \
    static tn_rt_error name(void *dst, const void *src, size_t size, void *stream,                 \
                            enum tn_rt_copy_call call) {                                           \
        return tn_rt_copy_linear(dst, src, size, kind, stream, call);                              \
    }

DIRECTION(to_device, TN_RT_COPY_HOST_TO_DEVICE)
DIRECTION(to_host, TN_RT_COPY_DEVICE_TO_HOST)
DIRECTION(on_device, TN_RT_COPY_ON_DEVICE)

TN_HIP_PAIR(hipMemcpyHtoD, hipMemcpyHtoDAsync, to_device, TN_RT_COPY_SYNC, hipDeviceptr_t, dst,
            const void *, src, size_t, sizeBytes)
TN_HIP_PAIR(hipMemcpyDtoH, hipMemcpyDtoHAsync, to_host, TN_RT_COPY_SYNC, void *, dst,
            hipDeviceptr_t, src, size_t, sizeBytes)
TN_HIP_PAIR(hipMemcpyDtoD, hipMemcpyDtoDAsync, on_device, TN_RT_COPY_SYNC, hipDeviceptr_t, dst,
            hipDeviceptr_t, src, size_t, sizeBytes)
