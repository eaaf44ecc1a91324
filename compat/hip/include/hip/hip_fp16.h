/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_fp16.h - numbers of half precision; the functions are described in
 * kernel/half_functions.h.
 */
#ifndef HIP_HIP_FP16_H
#define HIP_HIP_FP16_H

#include <hip/hip_vector_types.h>

#ifdef __cplusplus

#include <kernel/half_functions.h>

typedef kernel_impl::number<kernel_impl::half_format> __half;
typedef kernel_impl::pair<kernel_impl::half_format> __half2;
typedef kernel_impl::raw_number<kernel_impl::half_format> __half_raw;
typedef kernel_impl::raw_pair<kernel_impl::half_format> __half2_raw;
typedef __half half;
typedef __half2 half2;

KERNEL_NUMBER_FUNCTIONS_(__half, __half2, half)

#define HIPRT_INF_FP16        __ushort_as_half(0x7C00U)
#define HIPRT_NAN_FP16        __ushort_as_half(0x7FFFU)
#define HIPRT_MIN_DENORM_FP16 __ushort_as_half(0x0001U)
#define HIPRT_MAX_NORMAL_FP16 __ushort_as_half(0x7BFFU)
#define HIPRT_NEG_ZERO_FP16   __ushort_as_half(0x8000U)
#define HIPRT_ZERO_FP16       __ushort_as_half(0x0000U)
#define HIPRT_ONE_FP16        __ushort_as_half(0x3C00U)

#else

typedef struct {
    unsigned short x;
} __half_raw;
typedef struct {
    unsigned short x, y;
} __half2_raw;

#endif
#endif
