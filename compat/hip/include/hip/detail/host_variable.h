/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip/detail/host_variable.h - the functions of <hip/detail/variable.h> for variables themselves, in
 * C++. See <hip/hip_runtime.h>.
 */
#ifndef HIP_DETAIL_HOST_VARIABLE_H
#define HIP_DETAIL_HOST_VARIABLE_H

#include <hip/detail/graph_node.h>
#include <hip/detail/kernel.h>
#include <hip/detail/variable.h>
#include <kernel/host_variable.h>

#ifdef __cplusplus

template <typename T> hipError_t hipGetSymbolAddress(void **devPtr, const T &symbol) {
    return hipGetSymbolAddress(devPtr, kernel_impl::known(symbol));
}

template <typename T> hipError_t hipGetSymbolSize(size_t *size, const T &symbol) {
    return hipGetSymbolSize(size, kernel_impl::known(symbol));
}

template <typename T>
hipError_t hipMemcpyToSymbol(const T &symbol, const void *src, size_t sizeBytes, size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice) {
    return hipMemcpyToSymbol(kernel_impl::known(symbol), src, sizeBytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyToSymbolAsync(const T &symbol, const void *src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream = nullptr) {
    return hipMemcpyToSymbolAsync(kernel_impl::known(symbol), src, sizeBytes, offset, kind, stream);
}

template <typename T>
hipError_t hipMemcpyFromSymbol(void *dst, const T &symbol, size_t sizeBytes, size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost) {
    return hipMemcpyFromSymbol(dst, kernel_impl::known(symbol), sizeBytes, offset, kind);
}

template <typename T>
hipError_t hipMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t sizeBytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream = nullptr) {
    return hipMemcpyFromSymbolAsync(dst, kernel_impl::known(symbol), sizeBytes, offset, kind,
                                    stream);
}

/* ---- nodes of graphs */

template <typename T>
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t *pDependencies,
                                         size_t numDependencies, const T &symbol, const void *src,
                                         size_t count, size_t offset, hipMemcpyKind kind) {
    return hipGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
                                         kernel_impl::known(symbol), src, count, offset, kind);
}

template <typename T>
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *pGraphNode, hipGraph_t graph,
                                           const hipGraphNode_t *pDependencies,
                                           size_t numDependencies, void *dst, const T &symbol,
                                           size_t count, size_t offset, hipMemcpyKind kind) {
    return hipGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst,
                                           kernel_impl::known(symbol), count, offset, kind);
}

template <typename T>
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const T &symbol,
                                               const void *src, size_t count, size_t offset,
                                               hipMemcpyKind kind) {
    return hipGraphMemcpyNodeSetParamsToSymbol(node, kernel_impl::known(symbol), src, count, offset,
                                               kind);
}

template <typename T>
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void *dst, const T &symbol,
                                                 size_t count, size_t offset, hipMemcpyKind kind) {
    return hipGraphMemcpyNodeSetParamsFromSymbol(node, dst, kernel_impl::known(symbol), count,
                                                 offset, kind);
}

template <typename T>
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                   const T &symbol, const void *src, size_t count,
                                                   size_t offset, hipMemcpyKind kind) {
    return hipGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec, node, kernel_impl::known(symbol),
                                                   src, count, offset, kind);
}

template <typename T>
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                     void *dst, const T &symbol, size_t count,
                                                     size_t offset, hipMemcpyKind kind) {
    return hipGraphExecMemcpyNodeSetParamsFromSymbol(
        hGraphExec, node, dst, kernel_impl::known(symbol), count, offset, kind);
}

#endif
#endif
