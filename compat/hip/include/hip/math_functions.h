/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/math_functions.h - the functions of kernels, which hip/hip_runtime.h brings.
 */
#ifndef HIP_MATH_FUNCTIONS_H
#define HIP_MATH_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
