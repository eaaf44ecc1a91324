/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_fp8.h - numbers of 8 bits; the types and functions are described in kernel/fp8.h.
 */
#ifndef CUDA_FP8_H
#define CUDA_FP8_H
#define __CUDA_FP8_H__ /* programs ask for it */

#include <cuda_bf16.h>

#define KERNEL_FP8_(name)      __nv_##name
#define KERNEL_FP8_ENUM_(name) __NV_##name
#include <kernel/fp8.h>

#endif
