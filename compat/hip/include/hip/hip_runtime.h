/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/hip_runtime.h - the host API, and kernels that an ordinary compiler compiles for the host.
 *
 * A kernel is a function marked __global__ and launched with hipLaunchKernelGGL(); the <<<...>>> of
 * hipcc is not C++. It runs in stream order on threads of the library: as many blocks at the same
 * time as there are CPUs, and the threads of a block in turn on one CPU. A thread runs until it
 * waits for others, as at __syncthreads(). Therefore:
 *  - threadIdx, blockIdx, blockDim, gridDim and warpSize are defined; HIP_EXT_WARP_SIZE may be
 *    defined as 32 or 64, before this header and for a whole program;
 *  - __shared__ variables are shared by the threads of a block (and keep the values of a previous
 *    block); `extern __shared__` is written HIP_DYNAMIC_SHARED(type, name), inside the kernel;
 *  - a thread that waits in a loop for another one of its block must call a function in it that
 *    lets others run: see kernel/atomic_functions.h;
 *  - a thread has a stack of 256 KiB;
 *  - kernels access memory with the rights of the CPU: it may access memory of hipMalloc(), and
 *    mappings for which the host or, as in HIP, any device has a right. Another access ends the
 *    kernel: hipErrorIllegalAddress at synchronisation. A division by zero, a trap and an
 *    exception that leaves the kernel are hipErrorLaunchFailure, a failed assertion hipErrorAssert.
 *    With ASan or TSan in the process, the sanitizer reports accesses and ends the process;
 *  - destructors of threads of a kernel that ended early do not run.
 * A kernel must not call functions of this API.
 */
#ifndef HIP_HIP_RUNTIME_H
#define HIP_HIP_RUNTIME_H

/* AMD's header brings these too. */
#include <assert.h>
#include <limits.h>
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
/* In __attribute__((...)) of a kernel. */
#define amdgpu_flat_work_group_size(...)
#define amdgpu_num_sgpr(...)
#define amdgpu_num_vgpr(...)
#define amdgpu_waves_per_eu(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __clang__
#define __builtin_nontemporal_load(pointer)         (*(pointer))
#define __builtin_nontemporal_store(value, pointer) ((void)(*(pointer) = (value)))
#endif

#ifdef __cplusplus

#include <cmath>
#include <complex>
#include <string>
#include <thread>

#include <hip/channel_descriptor.h>
#include <hip/detail/event.h>
#include <hip/detail/host_variable.h>
#include <hip/detail/kernel.h>

/* The lanes of a warp. A program may define the macro as 32, the same in all its files. */
#ifndef HIP_EXT_WARP_SIZE
#define HIP_EXT_WARP_SIZE 64
#endif
#define KERNEL_WARP_SIZE_ HIP_EXT_WARP_SIZE
#define KERNEL_CLOCK_KHZ_ 2100000
#if HIP_EXT_WARP_SIZE != 64
#define KERNEL_WARP_SIZE_CHANGES_
#endif
#define KERNEL_NAME_OF_(address) hipKernelNameRefByPtr(address, nullptr)

#include <kernel/atomic_functions.h>
#include <kernel/device_functions.h>
#include <kernel/host_kernel.h>
#include <kernel/integer_functions.h>
#include <kernel/math_functions.h>

#include <hip/detail/gcn_functions.h>

/* Launches a kernel with its arguments. As in HIP it returns void; hipGetLastError() returns the
 * error. HIP_KERNEL_NAME() is for kernels whose names have commas. */
#if defined(__cpp_generic_lambdas)
#define hipLaunchKernelGGL(kernelName, ...) KERNEL_LAUNCHER_((kernelName), ).with(__VA_ARGS__)
/* The same with two events, which are recorded before and behind the kernel, and flags, which have
 * no effect, between stream and arguments. */
#define hipExtLaunchKernelGGL(kernelName, ...) KERNEL_LAUNCHER_((kernelName), ).between(__VA_ARGS__)
#else
#define hipLaunchKernelGGL(kernelName, ...)                                                        \
    ::kernel_impl::launch(#kernelName, kernelName, __VA_ARGS__)
#endif
#define HIP_KERNEL_NAME(...) __VA_ARGS__

#define __shared__ static thread_local

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
