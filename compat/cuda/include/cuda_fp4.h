/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_fp4.h - numbers of 4 bits; the types and functions are described in kernel/fp4.h.
 */
#ifndef CUDA_FP4_H
#define CUDA_FP4_H
#define __CUDA_FP4_H__ /* programs ask for it */

#include <cuda_fp8.h>
#include <device_types.h>

#define KERNEL_ROUNDING_ cudaRoundMode
#include <kernel/fp4.h>

#endif
