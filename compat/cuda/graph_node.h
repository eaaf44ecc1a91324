// SPDX-License-Identifier: Apache-2.0
// The place of a new node, as types of a row, and a check of edges that two files use.
#pragma once

#include "compat/cuda/face.h"

#define TN_CU_SPOT CUgraphNode *, CUgraph, const CUgraphNode *, size_t

// The rows of a kind of node, see compat/runtime/node_rows.h.
#define TN_CU_NODE_ROWS(name, prefix, work, params)                                                \
    TN_RT_NODE_ROWS(TN_CU_BARE, cuGraph, TN_CUDART_TYPE, name, prefix, work, params)
#define TN_CUDART_NODE_ROWS(name, prefix, work, params)                                            \
    TN_RT_NODE_ROWS(TN_CUDART, cudaGraph, TN_CUDART_TYPE, name, prefix, work, params)
#define TN_CUDART_TYPE(name) cuda##name

// Edges have no data: NOT_SUPPORTED unless `edges` is NULL or describes plain dependencies, by zeros.
tn_rt_error tn_cu_check_edges(const void *edges, size_t count);
