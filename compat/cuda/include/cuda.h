/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda.h - CUDA's driver API, implemented by Tarn: libcuda.so.1. cuda/detail/level.h describes the
 * options of the headers, and cuda/detail/device.h the errors and the environment.
 */
#ifndef CUDA_H
#define CUDA_H
#define __cuda_cuda_h__ /* programs ask for it */

#include <cuda/detail/driver_names.h>
#include <cuda/detail/driver_types.h>

#define CUDA_VERSION CUDA_RELEASE_

#define CUDA_PICK_(driver, runtime) driver
#include <cuda/detail/functions.h>

#endif
