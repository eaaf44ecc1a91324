/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_bf16.h - numbers of type bfloat16; the functions are described in
 * kernel/half_functions.h.
 */
#ifndef CUDA_BF16_H
#define CUDA_BF16_H
#define __CUDA_BF16_H__ /* programs ask for it */

#include <cuda_fp16.h>

#ifdef __cplusplus

#include <kernel/half_functions.h>

typedef kernel_impl::number<kernel_impl::bfloat16_format> __nv_bfloat16;
typedef kernel_impl::pair<kernel_impl::bfloat16_format> __nv_bfloat162;
typedef kernel_impl::raw_number<kernel_impl::bfloat16_format> __nv_bfloat16_raw;
typedef kernel_impl::raw_pair<kernel_impl::bfloat16_format> __nv_bfloat162_raw;
#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

KERNEL_NUMBER_FUNCTIONS_(__nv_bfloat16, __nv_bfloat162, bfloat16)

#define CUDART_INF_BF16        __ushort_as_bfloat16(0x7F80U)
#define CUDART_NAN_BF16        __ushort_as_bfloat16(0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7FU)
#define CUDART_NEG_ZERO_BF16   __ushort_as_bfloat16(0x8000U)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16(0x0000U)
#define CUDART_ONE_BF16        __ushort_as_bfloat16(0x3F80U)

#else

typedef struct {
    unsigned short x;
} __nv_bfloat16_raw;
typedef struct {
    unsigned short x, y;
} __nv_bfloat162_raw;

#endif
#endif
