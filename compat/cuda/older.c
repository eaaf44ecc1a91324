// SPDX-License-Identifier: Apache-2.0
// Older forms of functions: those of the driver under the names that came first, and those of the
// runtime of release 12 where release 13 changed the type. Programs keep the form that they were
// compiled with.
#include "compat/cuda/face.h"
#include "compat/cuda/first_names.h"
#include "compat/face/front.h"
#include "compat/runtime/copy/copy_rows.h"
#include "compat/runtime/memory/managed.h"
#include "compat/runtime/node_rows.h"
#include "compat/runtime/stream/capture.h"

// The headers give these names to the newest forms.
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies

// Rows of both APIs. Programs know the function of the runtime API as `caller`.
#define OLDER(cu, cuda, caller, work, ...)                                                         \
    TN_CU(cu, work, __VA_ARGS__) TN_CUDART_12(cuda, caller, work, __VA_ARGS__)
#define OLDER_STREAM(cu, cu_twin, cuda, cuda_twin, caller, work, ...)                              \
    TN_CU_STREAM(cu, cu_twin, work, __VA_ARGS__)                                                   \
    TN_CUDART_12(cuda, caller, work, __VA_ARGS__)                                                  \
    TN_CUDART_TWIN(cuda, cuda_twin, __VA_ARGS__)

// ---- devices by numbers instead of locations

static tn_rt_error advise(const void *ptr, size_t size, int advice, int device) {
    TN_RT_REFUSE(advice > TN_RT_UNADVISE_ACCESSED_BY, TN_RT_INVALID_VALUE, "advice %d is unknown",
                 advice);
    return tn_rt_advise(ptr, size, advice, device);
}

OLDER(cuMemAdvise, cudaMemAdvise_v12, "cudaMemAdvise", advise, CUdeviceptr, address, size_t, size,
      int, advice, CUdevice, device)
OLDER_STREAM(cuMemPrefetchAsync, cuMemPrefetchAsync_ptsz, cudaMemPrefetchAsync_v12,
             cudaMemPrefetchAsync_v12_ptsz, "cudaMemPrefetchAsync", tn_rt_prefetch, CUdeviceptr,
             address, size_t, size, CUdevice, device, CUstream, stream)

// ---- lists of copies that say which one failed

OLDER_STREAM(cuMemcpyBatchAsync, cuMemcpyBatchAsync_ptsz, cudaMemcpyBatchAsync_v12,
             cudaMemcpyBatchAsync_v12_ptsz, "cudaMemcpyBatchAsync", tn_rt_copy_list, CUdeviceptr *,
             dsts, CUdeviceptr *, srcs, size_t *, sizes, size_t, count, CUmemcpyAttributes *,
             attributes, size_t *, indices, size_t, attribute_count, size_t *, failed, CUstream,
             stream)
OLDER_STREAM(cuMemcpy3DBatchAsync, cuMemcpy3DBatchAsync_ptsz, cudaMemcpy3DBatchAsync_v12,
             cudaMemcpy3DBatchAsync_v12_ptsz, "cudaMemcpy3DBatchAsync", tn_rt_copy_boxes, size_t,
             count, CUDA_MEMCPY3D_BATCH_OP *, ops, size_t *, failed, unsigned long long, flags,
             CUstream, stream)

// ---- edges without data

OLDER(cuGraphAddDependencies, cudaGraphAddDependencies_v12, "cudaGraphAddDependencies",
      TN_FACE_EXPRESSION(tn_rt_node_link(graph, from, to, count, false)), CUgraph, graph,
      const CUgraphNode *, from, const CUgraphNode *, to, size_t, count)
OLDER(cuGraphRemoveDependencies, cudaGraphRemoveDependencies_v12, "cudaGraphRemoveDependencies",
      TN_FACE_EXPRESSION(tn_rt_node_link(graph, from, to, count, true)), CUgraph, graph,
      const CUgraphNode *, from, const CUgraphNode *, to, size_t, count)
OLDER(cuGraphGetEdges, cudaGraphGetEdges_v12, "cudaGraphGetEdges", tn_rt_graph_list_edges, CUgraph,
      graph, CUgraphNode *, from, CUgraphNode *, to, size_t *, count)
OLDER(cuGraphNodeGetDependencies, cudaGraphNodeGetDependencies_v12, "cudaGraphNodeGetDependencies",
      tn_rt_graph_list_before, CUgraphNode, node, CUgraphNode *, dependencies, size_t *, count)
OLDER(cuGraphNodeGetDependentNodes, cudaGraphNodeGetDependentNodes_v12,
      "cudaGraphNodeGetDependentNodes", tn_rt_graph_list_after, CUgraphNode, node, CUgraphNode *,
      nodes, size_t *, count)

// ---- captures

TN_CU_STREAM(cuStreamBeginCapture, cuStreamBeginCapture_ptsz,
             TN_FACE_EXPRESSION(tn_rt_capture_begin(stream, TN_RT_CAPTURE_GLOBAL)), CUstream,
             stream)
OLDER_STREAM(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo_v12,
             cudaStreamGetCaptureInfo_v12_ptsz, "cudaStreamGetCaptureInfo", tn_rt_capture_identify,
             CUstream, stream, unsigned *, status, unsigned long long *, id)
OLDER_STREAM(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_ptsz,
             cudaStreamUpdateCaptureDependencies_v12, cudaStreamUpdateCaptureDependencies_v12_ptsz,
             "cudaStreamUpdateCaptureDependencies", tn_rt_capture_depend, CUstream, stream,
             CUgraphNode *, dependencies, size_t, count, unsigned int, flags)
TN_CU_STREAM(cuStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v2_ptsz, tn_rt_capture_describe,
             CUstream, stream, unsigned *, status, unsigned long long *, id, CUgraph *, graph,
             const CUgraphNode **, dependencies, size_t *, count)

// ---- executable graphs

TN_CU(cuGraphInstantiate, tn_rt_graph_instantiate_log, CUgraphExec *, exec, CUgraph, graph,
      CUgraphNode *, node, char *, log, size_t, bytes)
TN_CU(cuGraphInstantiate_v2, tn_rt_graph_instantiate_log, CUgraphExec *, exec, CUgraph, graph,
      CUgraphNode *, node, char *, log, size_t, bytes)
TN_CU(cuGraphExecUpdate, tn_rt_graph_exec_update, CUgraphExec, exec, CUgraph, graph, CUgraphNode *,
      node, unsigned *, result)

// ---- the version of the runtime of release 12

static tn_rt_error get_version(int *version) {
    TN_RT_TRY(tn_rt_check_pointer(version, "version"));
    *version = 12090;
    return TN_RT_OK;
}

TN_CUDART_PLAIN(cudaError_t, cudaRuntimeGetVersion_v12, int *, version) {
    return tn_cudart_leave(get_version(version), "cudaRuntimeGetVersion");
}

// ---- first names of functions whose type is the same

TN_CUDA_FIRST_NAMES(TN_FRONT)
