// SPDX-License-Identifier: Apache-2.0
// Variables of kernels, by the address of the program's own copy, and nodes that copy them. See
// compat/runtime/variable.h.
#include "compat/runtime/variable.h"

#include "compat/cuda/face.h"

TN_CUDART(cudaGetSymbolAddress, tn_rt_variable_address, void **, const void *)
TN_CUDART(cudaGetSymbolSize, tn_rt_variable_size, size_t *, const void *)

// The parameters of each direction, their types, and the copy that they describe.
#define TO         const void *symbol, const void *src, size_t size, size_t offset, int kind
#define TO_TYPES   const void *, const void *, size_t, size_t, enum cudaMemcpyKind
#define FROM       void *dst, const void *symbol, size_t size, size_t offset, int kind
#define FROM_TYPES void *, const void *, size_t, size_t, enum cudaMemcpyKind
#define COPY_TO                                                                                    \
    &(const struct tn_rt_symbol_copy) { symbol, src, size, offset, kind, true }
#define COPY_FROM                                                                                  \
    &(const struct tn_rt_symbol_copy) { symbol, dst, size, offset, kind, false }
#define SPOT       CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count
#define SPOT_TYPES CUgraphNode *, CUgraph, const CUgraphNode *, size_t

static tn_rt_error copy_to(TO) { return tn_rt_symbol_copy(COPY_TO, NULL, TN_RT_COPY_SYNC); }
static tn_rt_error copy_from(FROM) { return tn_rt_symbol_copy(COPY_FROM, NULL, TN_RT_COPY_SYNC); }

static tn_rt_error copy_to_async(TO, void *stream) {
    return tn_rt_symbol_copy(COPY_TO, stream, TN_RT_COPY_ASYNC);
}

static tn_rt_error copy_from_async(FROM, void *stream) {
    return tn_rt_symbol_copy(COPY_FROM, stream, TN_RT_COPY_ASYNC);
}

TN_CUDART_DIRECT(cudaMemcpyToSymbol, copy_to, TO_TYPES)
TN_CUDART_DIRECT(cudaMemcpyFromSymbol, copy_from, FROM_TYPES)
TN_CUDART_STREAM(cudaMemcpyToSymbolAsync, copy_to_async, TO_TYPES, cudaStream_t)
TN_CUDART_STREAM(cudaMemcpyFromSymbolAsync, copy_from_async, FROM_TYPES, cudaStream_t)

// ---- nodes

static tn_rt_error add_to(SPOT, TO) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_symbol_node_add(&spot, COPY_TO);
}

static tn_rt_error add_from(SPOT, FROM) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_symbol_node_add(&spot, COPY_FROM);
}

static tn_rt_error set_to(CUgraphNode node, TO) { return tn_rt_symbol_node_set(node, COPY_TO); }

static tn_rt_error set_from(CUgraphNode node, FROM) {
    return tn_rt_symbol_node_set(node, COPY_FROM);
}

static tn_rt_error change_to(CUgraphExec exec, CUgraphNode node, TO) {
    return tn_rt_symbol_node_change(exec, node, COPY_TO);
}

static tn_rt_error change_from(CUgraphExec exec, CUgraphNode node, FROM) {
    return tn_rt_symbol_node_change(exec, node, COPY_FROM);
}

TN_CUDART(cudaGraphAddMemcpyNodeToSymbol, add_to, SPOT_TYPES, TO_TYPES)
TN_CUDART(cudaGraphAddMemcpyNodeFromSymbol, add_from, SPOT_TYPES, FROM_TYPES)
TN_CUDART(cudaGraphMemcpyNodeSetParamsToSymbol, set_to, CUgraphNode, TO_TYPES)
TN_CUDART(cudaGraphMemcpyNodeSetParamsFromSymbol, set_from, CUgraphNode, FROM_TYPES)
TN_CUDART(cudaGraphExecMemcpyNodeSetParamsToSymbol, change_to, CUgraphExec, CUgraphNode, TO_TYPES)
TN_CUDART(cudaGraphExecMemcpyNodeSetParamsFromSymbol, change_from, CUgraphExec, CUgraphNode,
          FROM_TYPES)
