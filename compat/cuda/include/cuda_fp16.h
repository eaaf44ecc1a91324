/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_fp16.h - numbers of half precision; the functions are described in
 * kernel/half_functions.h.
 */
#ifndef CUDA_FP16_H
#define CUDA_FP16_H
#define __CUDA_FP16_H__ /* programs ask for it */

#include <vector_types.h>

#ifdef __cplusplus

#include <kernel/half_functions.h>

typedef kernel_impl::number<kernel_impl::half_format> __half;
typedef kernel_impl::pair<kernel_impl::half_format> __half2;
typedef kernel_impl::raw_number<kernel_impl::half_format> __half_raw;
typedef kernel_impl::raw_pair<kernel_impl::half_format> __half2_raw;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

KERNEL_NUMBER_FUNCTIONS_(__half, __half2, half)

#define CUDART_INF_FP16        __ushort_as_half(0x7C00U)
#define CUDART_NAN_FP16        __ushort_as_half(0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7BFFU)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half(0x8000U)
#define CUDART_ZERO_FP16       __ushort_as_half(0x0000U)
#define CUDART_ONE_FP16        __ushort_as_half(0x3C00U)

#else

typedef struct {
    unsigned short x;
} __half_raw;
typedef struct {
    unsigned short x, y;
} __half2_raw;

#endif
#endif
