/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_device_runtime_api.h - kernels call the functions of the host.
 */
#ifndef CUDA_DEVICE_RUNTIME_API_H
#define CUDA_DEVICE_RUNTIME_API_H

#include <cuda_runtime_api.h>

#endif
