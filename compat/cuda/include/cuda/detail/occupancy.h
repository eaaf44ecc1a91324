/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda/detail/occupancy.h - in C++, the size of blocks with which a kernel has the most threads on a
 * multiprocessor, and the number of such blocks that fill the device. The dynamic shared memory of a
 * block may be a function of its size. cuda_runtime.h includes it.
 */
#ifndef CUDA_DETAIL_OCCUPANCY_H
#define CUDA_DETAIL_OCCUPANCY_H

#ifdef __cplusplus

#include <cuda_runtime_api.h>

/* Tries every multiple of a warp, the largest first. InvalidValue: an output NULL;
 * InvalidDeviceFunction: no function; errors of the functions that it calls. */
template <typename Shared, typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T function, Shared shared, int limit = 0, unsigned flags = 0) {
    const void *const stub = reinterpret_cast<const void *>(function);
    cudaFuncAttributes attributes;
    int device = 0, units = 0, threads = 0, most = 0;
    if (grid == nullptr || block == nullptr) return cudaErrorInvalidValue;
    if (stub == nullptr) return cudaErrorInvalidDeviceFunction;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, stub);
    if (error != cudaSuccess) return error;
    if (attributes.maxThreadsPerBlock < threads) threads = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < threads) threads = limit;
    for (int size = threads; size > 0; size = (size - 1) / 32 * 32) {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, stub, size, static_cast<size_t>(shared(size)), flags);
        if (error != cudaSuccess) return error;
        if (blocks * size <= most) continue;
        most = blocks * size;
        *block = size;
        *grid = blocks * units;
    }
    if (most == 0) *grid = *block = 0;
    return cudaSuccess;
}

template <typename Shared, typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T function,
                                                                  Shared shared, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, shared,
                                                                   limit);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T function,
                                                               size_t shared = 0, int limit = 0,
                                                               unsigned flags = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid, block, function, [shared](int) { return shared; }, limit, flags);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function,
                                                      size_t shared = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared, limit);
}

#endif
#endif
