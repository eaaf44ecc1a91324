// SPDX-License-Identifier: Apache-2.0
// HIP's functions about variables of kernels, and about nodes that copy them. See
// compat/runtime/variable.h.
#include "compat/runtime/variable.h"

#include <hip/detail/graph_exec.h>
#include <hip/detail/variable.h>

#include "compat/hip/face.h"

TN_HIP_ROW(hipExtRegisterHostVariable, tn_rt_variable_register, const void *, size_t)
TN_HIP_ROW(hipGetSymbolAddress, tn_rt_variable_address, void **, const void *)
TN_HIP_ROW(hipGetSymbolSize, tn_rt_variable_size, size_t *, const void *)

// ---- copies

// The parameters of each direction, and the copy that they describe.
#define TO   const void *symbol, const void *src, size_t sizeBytes, size_t offset, hipMemcpyKind kind
#define FROM void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind
#define COPY_TO                                                                                    \
    &(const struct tn_rt_symbol_copy) { symbol, src, sizeBytes, offset, (int)kind, true }
#define COPY_FROM                                                                                  \
    &(const struct tn_rt_symbol_copy) { symbol, dst, sizeBytes, offset, (int)kind, false }

hipError_t hipMemcpyToSymbol(TO) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_TO, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyToSymbolAsync(TO, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_TO, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyToSymbol_spt(TO) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_TO, hipStreamPerThread, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyToSymbolAsync_spt(TO, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_TO, tn_hip_spt(stream), TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyFromSymbol(FROM) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_FROM, NULL, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyFromSymbolAsync(FROM, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_FROM, stream, TN_RT_COPY_ASYNC));
}

hipError_t hipMemcpyFromSymbol_spt(FROM) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_FROM, hipStreamPerThread, TN_RT_COPY_SYNC));
}

hipError_t hipMemcpyFromSymbolAsync_spt(FROM, hipStream_t stream) {
    return TN_HIP_CALL(tn_rt_symbol_copy(COPY_FROM, tn_hip_spt(stream), TN_RT_COPY_ASYNC));
}

// ---- nodes

#define SPOT                                                                                       \
    hipGraphNode_t *pGraphNode, hipGraph_t graph, const hipGraphNode_t *pDependencies,             \
        size_t numDependencies

hipError_t hipGraphAddMemcpyNodeToSymbol(SPOT, TO) {
    const struct tn_rt_spot spot = {pGraphNode, graph, pDependencies, numDependencies};
    return TN_HIP_CALL(tn_rt_symbol_node_add(&spot, COPY_TO));
}

hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, TO) {
    return TN_HIP_CALL(tn_rt_symbol_node_set(node, COPY_TO));
}

hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                   TO) {
    return TN_HIP_CALL(tn_rt_symbol_node_change(hGraphExec, node, COPY_TO));
}

hipError_t hipGraphAddMemcpyNodeFromSymbol(SPOT, FROM) {
    const struct tn_rt_spot spot = {pGraphNode, graph, pDependencies, numDependencies};
    return TN_HIP_CALL(tn_rt_symbol_node_add(&spot, COPY_FROM));
}

hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, FROM) {
    return TN_HIP_CALL(tn_rt_symbol_node_set(node, COPY_FROM));
}

hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                                     FROM) {
    return TN_HIP_CALL(tn_rt_symbol_node_change(hGraphExec, node, COPY_FROM));
}
