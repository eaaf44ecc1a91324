/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_runtime.h - the host API, and kernels that an ordinary compiler compiles for the host.
 *
 * A kernel is a function marked __global__ and launched with hipLaunchKernelGGL(); the <<<...>>> of
 * hipcc is not C++. It runs on the CPU in stream order, one block after another and one thread of a
 * block after another. Therefore:
 *  - threadIdx, blockIdx, blockDim, gridDim and warpSize (1) are defined;
 *  - __shared__ variables are shared by the threads of a block (and keep the values of the previous
 *    block); `extern __shared__` is written HIP_DYNAMIC_SHARED(type, name), inside the kernel;
 *  - functions for which the threads of a block must meet end the kernel, unless the block has one
 *    thread: see hip/detail/device_functions.h;
 *  - kernels access memory with the rights of the CPU: it may access memory of hipMalloc(), and
 *    mappings for which the host or, as in HIP, any device has a right. Other accesses are SIGSEGV;
 *  - an exception that leaves a kernel ends it: hipErrorLaunchFailure at synchronisation.
 * A kernel must not call functions of this API.
 */
#ifndef HIP_HIP_RUNTIME_H
#define HIP_HIP_RUNTIME_H

/* AMD's header brings these too. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/hip_runtime_api.h>
#include <hip/hip_vector_types.h>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif

#ifdef __cplusplus

#include <cmath>
#include <thread>

#include <hip/channel_descriptor.h>
#include <hip/detail/device_functions.h>
#include <hip/detail/host_kernel.h>
#include <hip/detail/integer_functions.h>

#define __shared__ static thread_local

/* Names the block's dynamic shared memory, the fourth argument of a launch. */
#define HIP_DYNAMIC_SHARED(type, var) type *var = static_cast<type *>(::hip_impl::dynamic_shared);
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x  blockIdx.x
#define hipBlockIdx_y  blockIdx.y
#define hipBlockIdx_z  blockIdx.z
#define hipBlockDim_x  blockDim.x
#define hipBlockDim_y  blockDim.y
#define hipBlockDim_z  blockDim.z
#define hipGridDim_x   gridDim.x
#define hipGridDim_y   gridDim.y
#define hipGridDim_z   gridDim.z

#endif
#endif
