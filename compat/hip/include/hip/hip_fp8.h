/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_fp8.h - numbers of 8 bits; the types and functions are described in kernel/fp8.h.
 */
#ifndef HIP_HIP_FP8_H
#define HIP_HIP_FP8_H

#include <hip/hip_bf16.h>

#define KERNEL_FP8_(name)      __hip_##name
#define KERNEL_FP8_ENUM_(name) __HIP_##name
#include <kernel/fp8.h>

#endif
