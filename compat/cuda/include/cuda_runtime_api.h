/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_runtime_api.h - CUDA's runtime API, implemented by Tarn: libcudart.so.13 and
 * libcudart.so.12. cuda/detail/level.h describes the options of the headers, and
 * cuda/detail/device.h the errors and the environment.
 */
#ifndef CUDA_RUNTIME_API_H
#define CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ /* programs ask for it */

#include <driver_types.h>

#define CUDART_VERSION CUDA_RELEASE_
#if TARN_CUDA_LEVEL == 12
#define cudaGetDeviceProperties  cudaGetDeviceProperties_v2
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v2
#endif

#define CUDA_PICK_(driver, runtime) runtime
#include <cuda/detail/functions.h>

#include <cuda/detail/texture.h>

#endif
