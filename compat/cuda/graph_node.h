// SPDX-License-Identifier: Apache-2.0
// The functions for a kind of node, made of its reader and its writer, and a reader that two files
// use.
#pragma once

#include "compat/cuda/face.h"
#include "compat/runtime/graph_exec.h"
#include "compat/runtime/node.h"

// Reads a CUDA_MEMSET_NODE_PARAMS.
tn_rt_error tn_cu_read_fill(const void *params, struct tn_rt_op *op);

// Edges have no data: NOT_SUPPORTED unless `edges` is NULL or describes plain dependencies, by zeros.
tn_rt_error tn_cu_check_edges(const void *edges, size_t count);

// The place of a new node, as types of a row.
#define TN_CU_SPOT CUgraphNode *, CUgraph, const CUgraphNode *, size_t

// The work of the functions that add a kind and get its parameters, and that change them in an
// executable graph; and of those that set them.
#define TN_CU_KIND(name, kind, reader, writer)                                                     \
    static tn_rt_error add_##name(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,     \
                                  size_t count, const void *params) {                              \
        const struct tn_rt_spot spot = {node, graph, before, count};                               \
        return tn_rt_node_add(&spot, reader, params);                                              \
    }                                                                                              \
    static tn_rt_error get_##name(CUgraphNode node, void *params) {                                \
        return tn_rt_node_params(node, TN_RT_WORK_##kind, writer, params);                         \
    }                                                                                              \
    static tn_rt_error change_##name(CUgraphExec exec, CUgraphNode node, const void *params) {     \
        return tn_rt_graph_exec_set(exec, node, TN_RT_WORK_##kind, reader, params);                \
    }

#define TN_CU_SETTER(name, kind, reader)                                                           \
    static tn_rt_error set_##name(CUgraphNode node, const void *params) {                          \
        return tn_rt_node_set(node, TN_RT_WORK_##kind, reader, params);                            \
    }
