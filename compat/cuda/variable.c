// SPDX-License-Identifier: Apache-2.0
// Variables of kernels, by the address of the program's own copy, and nodes that copy them. See
// compat/runtime/variable.h and copy_rows.h.
#include "compat/runtime/copy_rows.h"

#include "compat/cuda/face.h"
#include "compat/cuda/graph_node.h"

TN_CUDART(cudaGetSymbolAddress, tn_rt_variable_address, void **, const void *)
TN_CUDART(cudaGetSymbolSize, tn_rt_variable_size, size_t *, const void *)

// The types of the parameters of each direction.
#define TO   const void *, const void *, size_t, size_t, enum cudaMemcpyKind
#define FROM void *, const void *, size_t, size_t, enum cudaMemcpyKind

TN_CUDART_DIRECT(cudaMemcpyToSymbol, tn_rt_symbol_to, TO)
TN_CUDART_DIRECT(cudaMemcpyFromSymbol, tn_rt_symbol_from, FROM)
TN_CUDART_STREAM(cudaMemcpyToSymbolAsync, tn_rt_symbol_to_async, TO, cudaStream_t)
TN_CUDART_STREAM(cudaMemcpyFromSymbolAsync, tn_rt_symbol_from_async, FROM, cudaStream_t)

TN_CUDART(cudaGraphAddMemcpyNodeToSymbol, tn_rt_symbol_add_to, TN_CU_SPOT, TO)
TN_CUDART(cudaGraphAddMemcpyNodeFromSymbol, tn_rt_symbol_add_from, TN_CU_SPOT, FROM)
TN_CUDART(cudaGraphMemcpyNodeSetParamsToSymbol, tn_rt_symbol_set_to, CUgraphNode, TO)
TN_CUDART(cudaGraphMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_set_from, CUgraphNode, FROM)
TN_CUDART(cudaGraphExecMemcpyNodeSetParamsToSymbol, tn_rt_symbol_change_to, CUgraphExec,
          CUgraphNode, TO)
TN_CUDART(cudaGraphExecMemcpyNodeSetParamsFromSymbol, tn_rt_symbol_change_from, CUgraphExec,
          CUgraphNode, FROM)
