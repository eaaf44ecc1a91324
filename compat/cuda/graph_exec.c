// SPDX-License-Identifier: Apache-2.0
// Executable graphs, and the memory of graphs. See compat/runtime/exec/graph_exec.h.
#include "compat/runtime/exec/graph_exec.h"

#include "compat/cuda/face.h"
#include "compat/runtime/memory/graph_memory.h"

#define SAME(theirs, ours) _Static_assert((int)(theirs) == (int)(ours), "numbers are the same")
SAME(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, TN_RT_INSTANTIATE_AUTO_FREE);
SAME(CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, TN_RT_INSTANTIATE_UPLOAD);
SAME(CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH, TN_RT_INSTANTIATE_DEVICE_LAUNCH);
SAME(CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY, TN_RT_INSTANTIATE_PRIORITY);
SAME(CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE, TN_RT_UPDATE_UNSUPPORTED_FUNCTION);
SAME(CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, TN_RT_GRAPH_RESERVED_HIGH);

TN_CU_BOTH_BARE(cuGraphInstantiateWithFlags, cudaGraphInstantiate, tn_rt_graph_instantiate,
                CUgraphExec *, exec, CUgraph, graph, unsigned long long, flags)

static tn_rt_error instantiate_with(CUgraphExec *exec, CUgraph graph,
                                    CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
    TN_RT_TRY(tn_rt_check_pointer(p, "instantiateParams"));
    int result = (int)p->result_out;
    const struct tn_rt_instantiation parameters = {p->flags, p->hUploadStream, &p->hErrNode_out,
                                                   &result};
    tn_rt_error error = tn_rt_graph_instantiate_with(exec, graph, &parameters);
    p->result_out = (CUgraphInstantiateResult)result;
    return error;
}

_Static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams),
               "both APIs pass the same parameters");

TN_CU_STREAM(cuGraphInstantiateWithParams, cuGraphInstantiateWithParams_ptsz, instantiate_with,
             CUgraphExec *, exec, CUgraph, graph, CUDA_GRAPH_INSTANTIATE_PARAMS *, params)
TN_CUDART_STREAM(cudaGraphInstantiateWithParams, cudaGraphInstantiateWithParams_ptsz,
                 TN_FACE_EXPRESSION(instantiate_with(exec, graph,
                                                     (CUDA_GRAPH_INSTANTIATE_PARAMS *)params)),
                 cudaGraphExec_t *, exec, cudaGraph_t, graph, cudaGraphInstantiateParams *, params)

TN_CU_BARE(cuGraphExecGetFlags, tn_rt_graph_exec_flags, CUgraphExec, exec, cuuint64_t *, flags)

// The node of the executable graph that does not fit is not known: only that of the other graph.
static tn_rt_error update(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
    unsigned result = TN_RT_UPDATE_ERROR;
    CUgraphNode node = NULL;
    tn_rt_error error = tn_rt_graph_exec_update(exec, graph, &node, &result);
    if (info != NULL)
        *info = (CUgraphExecUpdateResultInfo){(CUgraphExecUpdateResult)result, node, NULL};
    return error;
}

_Static_assert(sizeof(CUgraphExecUpdateResultInfo) == sizeof(cudaGraphExecUpdateResultInfo),
               "both APIs return the same result");

TN_CU_BARE(cuGraphExecUpdate_v2, update, CUgraphExec, exec, CUgraph, graph,
           CUgraphExecUpdateResultInfo *, info)
TN_CUDART(cudaGraphExecUpdate,
          TN_FACE_EXPRESSION(update(exec, graph, (CUgraphExecUpdateResultInfo *)info)),
          cudaGraphExec_t, exec, cudaGraph_t, graph, cudaGraphExecUpdateResultInfo *, info)
