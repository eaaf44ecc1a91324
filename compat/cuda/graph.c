// SPDX-License-Identifier: Apache-2.0
// Graphs, and queries of their nodes and edges. See compat/runtime/graph/graph.h.
#include "compat/runtime/graph/graph.h"

#include <string.h>

#include "compat/cuda/graph_node.h"
#include "compat/runtime/graph/node.h"

#define SAME(theirs, ours) _Static_assert((int)(theirs) == (int)(ours), "numbers are the same")
SAME(CU_GRAPH_NODE_TYPE_KERNEL, TN_RT_WORK_KERNEL);
SAME(CU_GRAPH_NODE_TYPE_MEMCPY, TN_RT_WORK_COPY);
SAME(CU_GRAPH_NODE_TYPE_MEMSET, TN_RT_WORK_FILL);
SAME(CU_GRAPH_NODE_TYPE_HOST, TN_RT_WORK_HOST);
SAME(CU_GRAPH_NODE_TYPE_GRAPH, TN_RT_WORK_GRAPH);
SAME(CU_GRAPH_NODE_TYPE_MEM_ALLOC, TN_RT_WORK_MEMORY_ALLOC);
SAME(CU_GRAPH_NODE_TYPE_MEM_FREE, TN_RT_WORK_MEMORY_FREE);
SAME(CU_GRAPH_USER_OBJECT_MOVE, TN_RT_USER_MOVE);
SAME(CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE, TN_RT_DOT_ALL);
SAME(CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS, TN_RT_DOT_KERNEL);
SAME(CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS, TN_RT_DOT_EVENT);

// CUDA has another number for waits and writes of values.
static tn_rt_error get_type(CUgraphNode node, void *type) {
    TN_RT_TRY(tn_rt_graph_node_work(node, (unsigned *)type));
    if (*(unsigned *)type == TN_RT_WORK_VALUE) *(unsigned *)type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    return TN_RT_OK;
}

TN_CU_BOTH_BARE(cuGraphNodeGetType, cudaGraphNodeGetType, get_type, CUgraphNode, node,
                CUgraphNodeType *, type)

// ---- lists; edges have no data

tn_rt_error tn_cu_check_edges(const void *edges, size_t count) {
    const unsigned char *bytes = (const unsigned char *)edges;
    for (size_t i = 0; bytes != NULL && i < count * sizeof(CUgraphEdgeData); i++)
        TN_RT_REFUSE(bytes[i] != 0, TN_RT_INVALID_VALUE, "edges with data are not supported");
    return TN_RT_OK;
}

static tn_rt_error clear_edges(const void *nodes, CUgraphEdgeData *edges, const size_t *count) {
    if (nodes != NULL && edges != NULL) memset(edges, 0, *count * sizeof *edges);
    return TN_RT_OK;
}

static tn_rt_error list_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, void *edges,
                              size_t *count) {
    TN_RT_TRY(tn_rt_graph_list_edges(graph, from, to, count));
    return clear_edges(from, (CUgraphEdgeData *)edges, count);
}

static tn_rt_error list_before(CUgraphNode node, CUgraphNode *nodes, void *edges, size_t *count) {
    TN_RT_TRY(tn_rt_graph_list_before(node, nodes, count));
    return clear_edges(nodes, (CUgraphEdgeData *)edges, count);
}

static tn_rt_error list_after(CUgraphNode node, CUgraphNode *nodes, void *edges, size_t *count) {
    TN_RT_TRY(tn_rt_graph_list_after(node, nodes, count));
    return clear_edges(nodes, (CUgraphEdgeData *)edges, count);
}

TN_CU_BOTH_BARE(cuGraphGetEdges_v2, cudaGraphGetEdges, list_edges, CUgraph, graph, CUgraphNode *,
                from, CUgraphNode *, to, CUgraphEdgeData *, edges, size_t *, count)
TN_CU_BOTH_BARE(cuGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies, list_before,
                CUgraphNode, node, CUgraphNode *, dependencies, CUgraphEdgeData *, edges, size_t *,
                count)
TN_CU_BOTH_BARE(cuGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes, list_after,
                CUgraphNode, node, CUgraphNode *, nodes, CUgraphEdgeData *, edges, size_t *, count)

static tn_rt_error link_nodes(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                              const void *edges, size_t count, bool remove) {
    TN_RT_TRY(tn_cu_check_edges(edges, count));
    return tn_rt_node_link(graph, from, to, count, remove);
}

TN_CU_BOTH_BARE(cuGraphAddDependencies_v2, cudaGraphAddDependencies,
                TN_FACE_EXPRESSION(link_nodes(graph, from, to, edges, count, false)), CUgraph,
                graph, const CUgraphNode *, from, const CUgraphNode *, to, const CUgraphEdgeData *,
                edges, size_t, count)
TN_CU_BOTH_BARE(cuGraphRemoveDependencies_v2, cudaGraphRemoveDependencies,
                TN_FACE_EXPRESSION(link_nodes(graph, from, to, edges, count, true)), CUgraph, graph,
                const CUgraphNode *, from, const CUgraphNode *, to, const CUgraphEdgeData *, edges,
                size_t, count)
