/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_bf16.h - numbers of type bfloat16; the functions are described in
 * kernel/half_functions.h.
 */
#ifndef HIP_HIP_BF16_H
#define HIP_HIP_BF16_H

#include <hip/hip_fp16.h>

#ifdef __cplusplus

#include <kernel/half_functions.h>

typedef kernel_impl::number<kernel_impl::bfloat16_format> __hip_bfloat16;
typedef kernel_impl::pair<kernel_impl::bfloat16_format> __hip_bfloat162;
typedef kernel_impl::raw_number<kernel_impl::bfloat16_format> __hip_bfloat16_raw;
typedef kernel_impl::raw_pair<kernel_impl::bfloat16_format> __hip_bfloat162_raw;

KERNEL_NUMBER_FUNCTIONS_(__hip_bfloat16, __hip_bfloat162, bfloat16)

#define HIPRT_INF_BF16        __ushort_as_bfloat16(0x7F80U)
#define HIPRT_NAN_BF16        __ushort_as_bfloat16(0x7FFFU)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7FU)
#define HIPRT_NEG_ZERO_BF16   __ushort_as_bfloat16(0x8000U)
#define HIPRT_ZERO_BF16       __ushort_as_bfloat16(0x0000U)
#define HIPRT_ONE_BF16        __ushort_as_bfloat16(0x3F80U)

#else

typedef struct {
    unsigned short x;
} __hip_bfloat16_raw;
typedef struct {
    unsigned short x, y;
} __hip_bfloat162_raw;

#endif
#endif
