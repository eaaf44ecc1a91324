/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/device_functions.h - the functions of kernels, which hip/hip_runtime.h brings.
 */
#ifndef HIP_DEVICE_FUNCTIONS_H
#define HIP_DEVICE_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
