/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_fp4.h - numbers of 4 bits; the types and functions are described in kernel/fp4.h.
 */
#ifndef HIP_HIP_FP4_H
#define HIP_HIP_FP4_H

#include <hip/device_types.h>
#include <hip/hip_fp8.h>

#define KERNEL_ROUNDING_ hipRoundMode
#include <kernel/fp4.h>

#endif
