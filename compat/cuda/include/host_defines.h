/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_defines.h - the words of device code. In a program for the host alone they mean nothing.
 * `tarn nvcc`, which defines __CUDACC__, compiles kernels for the host: a shared variable belongs
 * to the thread of the CPU that runs the block.
 */
#ifndef HOST_DEFINES_H
#define HOST_DEFINES_H

#ifndef __host__
#define __host__
#define __device__
#define __global__
#ifdef __CUDACC__
#define __shared__ static thread_local
#else
#define __shared__
#endif
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__  inline __attribute__((always_inline))

#endif
