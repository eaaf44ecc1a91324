/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_runtime.h - the runtime API, and for C++ the same functions for pointers to any type, for
 * variables and kernels by their name, and with fewer arguments. Each calls the function of its
 * name.
 */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* programs ask for it */

#include <channel_descriptor.h>
#include <cuda/detail/occupancy.h>
#include <cuda_runtime_api.h>
#include <driver_functions.h>
#include <host_defines.h>
#include <vector_functions.h>

#ifdef __cplusplus

/* Kernels, which `tarn nvcc` compiles for the host. See the headers of kernel/. */
#ifdef __CUDACC__
#include <cmath>
#include <thread>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda/detail/host_kernel.h>

#define KERNEL_WARP_SIZE_ 32
#define KERNEL_CLOCK_KHZ_ 1980000
#define KERNEL_NEEDS_MASKS_
#define KERNEL_NAME_OF_(address) cudaExtKernelName(address)

#include <kernel/atomic_functions.h>
#include <kernel/device_functions.h>
#include <kernel/host_kernel.h>
#include <kernel/host_variable.h>
#include <kernel/integer_functions.h>
#include <kernel/math_functions.h>

/* Addresses of one kind of memory, which are those of the CPU. */
#define CUDA_CONVERT_(kind)                                                                        \
    inline size_t __cvta_generic_to_##kind(const void *p) { return reinterpret_cast<size_t>(p); }  \
    inline void *__cvta_##kind##_to_generic(size_t address) {                                      \
        return reinterpret_cast<void *>(address);                                                  \
    }
CUDA_CONVERT_(global)
CUDA_CONVERT_(shared)
CUDA_CONVERT_(constant)
CUDA_CONVERT_(local)
#undef CUDA_CONVERT_

#define CUDA_SYMBOL_ ::kernel_impl::known(symbol)
#else
#define CUDA_SYMBOL_ static_cast<const void *>(&symbol)
#endif

#define CUDA_TEMPLATE_ template <typename T> inline cudaError_t
#define CUDA_STUB_     reinterpret_cast<const void *>(function)

/* ---- memory */

CUDA_TEMPLATE_ cudaMalloc(T **address, size_t size) {
    return cudaMalloc(reinterpret_cast<void **>(address), size);
}
CUDA_TEMPLATE_ cudaMallocPitch(T **address, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void **>(address), pitch, width, height);
}
CUDA_TEMPLATE_ cudaMallocManaged(T **address, size_t size, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void **>(address), size, flags);
}
CUDA_TEMPLATE_ cudaHostAlloc(T **pointer, size_t size, unsigned flags) {
    return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
CUDA_TEMPLATE_ cudaMallocHost(T **pointer, size_t size, unsigned flags = 0) {
    return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
CUDA_TEMPLATE_ cudaHostGetDevicePointer(T **address, void *pointer, unsigned flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void **>(address), pointer, flags);
}
CUDA_TEMPLATE_ cudaStreamAttachMemAsync(cudaStream_t stream, T *address, size_t length = 0,
                                        unsigned flags = cudaMemAttachSingle) {
    return cudaStreamAttachMemAsync(stream, static_cast<void *>(address), length, flags);
}

/* ---- pools; the pool may be named by overload */

CUDA_TEMPLATE_ cudaMallocAsync(T **address, size_t size, cudaStream_t stream) {
    return cudaMallocAsync(reinterpret_cast<void **>(address), size, stream);
}
CUDA_TEMPLATE_ cudaMallocFromPoolAsync(T **address, size_t size, cudaMemPool_t pool,
                                       cudaStream_t stream) {
    return cudaMallocFromPoolAsync(reinterpret_cast<void **>(address), size, pool, stream);
}
CUDA_TEMPLATE_ cudaMallocAsync(T **address, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync(reinterpret_cast<void **>(address), size, pool, stream);
}

/* ---- events */

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}

/* ---- variables of the device */

CUDA_TEMPLATE_ cudaGetSymbolAddress(void **address, const T &symbol) {
    return cudaGetSymbolAddress(address, CUDA_SYMBOL_);
}
CUDA_TEMPLATE_ cudaGetSymbolSize(size_t *size, const T &symbol) {
    return cudaGetSymbolSize(size, CUDA_SYMBOL_);
}
CUDA_TEMPLATE_ cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol(CUDA_SYMBOL_, src, count, offset, kind);
}
CUDA_TEMPLATE_ cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                                       size_t offset = 0,
                                       cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                       cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync(CUDA_SYMBOL_, src, count, offset, kind, stream);
}
CUDA_TEMPLATE_ cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(dst, CUDA_SYMBOL_, count, offset, kind);
}
CUDA_TEMPLATE_ cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                                         size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                         cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(dst, CUDA_SYMBOL_, count, offset, kind, stream);
}
CUDA_TEMPLATE_ cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies,
                                              size_t dependency_count, const T &symbol,
                                              const void *src, size_t count, size_t offset,
                                              cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, dependency_count, CUDA_SYMBOL_,
                                          src, count, offset, kind);
}
CUDA_TEMPLATE_ cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                const cudaGraphNode_t *dependencies,
                                                size_t dependency_count, void *dst, const T &symbol,
                                                size_t count, size_t offset, cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, dependency_count, dst,
                                            CUDA_SYMBOL_, count, offset, kind);
}
CUDA_TEMPLATE_ cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                                    const void *src, size_t count, size_t offset,
                                                    cudaMemcpyKind kind) {
    return cudaGraphMemcpyNodeSetParamsToSymbol(node, CUDA_SYMBOL_, src, count, offset, kind);
}
CUDA_TEMPLATE_ cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                      const T &symbol, size_t count, size_t offset,
                                                      cudaMemcpyKind kind) {
    return cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, CUDA_SYMBOL_, count, offset, kind);
}
CUDA_TEMPLATE_ cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                        const T &symbol, const void *src,
                                                        size_t count, size_t offset,
                                                        cudaMemcpyKind kind) {
    return cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, CUDA_SYMBOL_, src, count, offset,
                                                    kind);
}
CUDA_TEMPLATE_ cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                          cudaGraphNode_t node, void *dst,
                                                          const T &symbol, size_t count,
                                                          size_t offset, cudaMemcpyKind kind) {
    return cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, CUDA_SYMBOL_, count, offset,
                                                      kind);
}

/* ---- kernels */

CUDA_TEMPLATE_ cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                cudaStream_t stream = 0) {
    return cudaLaunchKernel(CUDA_STUB_, grid, block, args, shared, stream);
}
CUDA_TEMPLATE_ cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **args,
                                           size_t shared = 0, cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel(CUDA_STUB_, grid, block, args, shared, stream);
}
template <typename... Parameters, typename... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                      void (*function)(Parameters...), Arguments &&...args) {
    return [&](Parameters... values) {
        void *pointers[sizeof...(values) + 1] = {static_cast<void *>(&values)...};
        return cudaLaunchKernelExC(config, CUDA_STUB_, pointers);
    }(static_cast<Arguments &&>(args)...);
}
CUDA_TEMPLATE_ cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
    return cudaFuncGetAttributes(attributes, CUDA_STUB_);
}
CUDA_TEMPLATE_ cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(CUDA_STUB_, attribute, value);
}
CUDA_TEMPLATE_ cudaFuncSetCacheConfig(T *function, cudaFuncCache config) {
    return cudaFuncSetCacheConfig(CUDA_STUB_, config);
}
CUDA_TEMPLATE_ cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config) {
    return cudaFuncSetSharedMemConfig(CUDA_STUB_, config);
}
CUDA_TEMPLATE_ cudaFuncGetName(const char **name, T *function) {
    return cudaFuncGetName(name, CUDA_STUB_);
}
CUDA_TEMPLATE_ cudaGetFuncBySymbol(cudaFunction_t *handle, T *function) {
    return cudaGetFuncBySymbol(handle, CUDA_STUB_);
}
CUDA_TEMPLATE_ cudaGetKernel(cudaKernel_t *kernel, T *function) {
    return cudaGetKernel(kernel, CUDA_STUB_);
}
CUDA_TEMPLATE_ cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function,
                                                             int block_size, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, CUDA_STUB_, block_size, shared);
}
CUDA_TEMPLATE_ cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *function,
                                                                      int block_size, size_t shared,
                                                                      unsigned flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, CUDA_STUB_, block_size,
                                                                  shared, flags);
}
CUDA_TEMPLATE_ cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, T *function, int blocks,
                                                         int block_size) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared, CUDA_STUB_, blocks, block_size);
}
CUDA_TEMPLATE_ cudaOccupancyMaxActiveClusters(int *clusters, T *function,
                                              const cudaLaunchConfig_t *config) {
    return cudaOccupancyMaxActiveClusters(clusters, CUDA_STUB_, config);
}
CUDA_TEMPLATE_ cudaOccupancyMaxPotentialClusterSize(int *size, T *function,
                                                    const cudaLaunchConfig_t *config) {
    return cudaOccupancyMaxPotentialClusterSize(size, CUDA_STUB_, config);
}

/* ---- libraries, objects of graphs, and the older form of an instantiation, whose text is empty */

CUDA_TEMPLATE_ cudaLibraryGetGlobal(T **address, size_t *bytes, cudaLibrary_t library,
                                    const char *name) {
    return cudaLibraryGetGlobal(reinterpret_cast<void **>(address), bytes, library, name);
}
CUDA_TEMPLATE_ cudaLibraryGetManaged(T **address, size_t *bytes, cudaLibrary_t library,
                                     const char *name) {
    return cudaLibraryGetManaged(reinterpret_cast<void **>(address), bytes, library, name);
}
/* The object is deleted. */
CUDA_TEMPLATE_ cudaUserObjectCreate(cudaUserObject_t *handle, T *object, unsigned references,
                                    unsigned flags) {
    return cudaUserObjectCreate(
        handle, object, [](void *pointer) { delete static_cast<T *>(pointer); }, references, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        cudaGraphNode_t *error_node, char *text, size_t bytes) {
    if (error_node != nullptr) *error_node = nullptr;
    if (text != nullptr && bytes > 0) *text = 0;
    return cudaGraphInstantiate(exec, graph, 0);
}

#undef CUDA_TEMPLATE_
#undef CUDA_SYMBOL_
#undef CUDA_STUB_

#endif
#endif
