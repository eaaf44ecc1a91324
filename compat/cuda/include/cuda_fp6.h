/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_fp6.h - numbers of 6 bits; the types and functions are described in kernel/fp4.h.
 */
#ifndef CUDA_FP6_H
#define CUDA_FP6_H
#define __CUDA_FP6_H__ /* programs ask for it */

#include <cuda_fp8.h>
#include <device_types.h>

#define KERNEL_ROUNDING_ cudaRoundMode
#include <kernel/fp4.h>

#endif
