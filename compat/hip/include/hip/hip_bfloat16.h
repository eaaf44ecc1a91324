/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_bfloat16.h - the older type of numbers with 16 bits and the exponent of float; hip/hip_bf16.h
 * has the newer one. It is in `data`.
 */
#ifndef HIP_HIP_BFLOAT16_H
#define HIP_HIP_BFLOAT16_H

#include <stdint.h>

#ifdef __cplusplus

#include <kernel/half_functions.h>

struct hip_bfloat16 {
    uint16_t data;

    enum truncate_t { truncate };

    hip_bfloat16() = default;
    explicit hip_bfloat16(float value)
        : data(kernel_impl::encode<kernel_impl::bfloat16_format>(value)) {}
    explicit hip_bfloat16(float value, truncate_t)
        : data(kernel_impl::encode<kernel_impl::bfloat16_format>(value, kernel_impl::to_zero)) {}
    operator float() const { return kernel_impl::decode<kernel_impl::bfloat16_format>(data); }
    static hip_bfloat16 round_to_bfloat16(float value) { return hip_bfloat16(value); }
    static hip_bfloat16 round_to_bfloat16(float value, truncate_t) {
        return hip_bfloat16(value, truncate);
    }
};

#define HIP_BFLOAT16_(operation)                                                                   \
    inline hip_bfloat16 operator operation(hip_bfloat16 a, hip_bfloat16 b) {                       \
        return hip_bfloat16(static_cast<float>(a) operation static_cast<float>(b));                \
    }                                                                                              \
    inline hip_bfloat16 &operator operation##=(hip_bfloat16 &a, hip_bfloat16 b) {                  \
        return a = a operation b;                                                                  \
    }
HIP_BFLOAT16_(+)
HIP_BFLOAT16_(-)
HIP_BFLOAT16_(*)
HIP_BFLOAT16_(/)
#undef HIP_BFLOAT16_

#else

typedef struct {
    uint16_t data;
} hip_bfloat16;

#endif
#endif
