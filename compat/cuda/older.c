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

// A row of the driver, and one of both APIs.
#define OLDER(name, work, ...)                                                                     \
    TN_CUDA_API CUresult name(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__));                              \
    TN_CU(name, work, __VA_ARGS__)
#define OLDER_12(name, work, ...)                                                                  \
    TN_CUDA_API cudaError_t tn_cudart_cuda##name##_v12(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__));     \
    cudaError_t tn_cudart_cuda##name##_v12(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__)) {                \
        return TN_FACE_CALL_AS(tn_cudart, "cuda" #name,                                            \
                               work(TN_FACE_TYPED_ARGUMENTS(__VA_ARGS__)));                        \
    }
#define OLDER_BOTH(name, work, ...)                                                                \
    OLDER(cu##name, work, __VA_ARGS__) OLDER_12(name, work, __VA_ARGS__)
#define OLDER_BOTH_STREAM(name, work, ...)                                                         \
    OLDER_BOTH(name, work, __VA_ARGS__)                                                            \
    TN_CU_TWIN(CUresult, cu##name, _ptsz, __VA_ARGS__)                                             \
    TN_CUDA_API cudaError_t tn_cudart_cuda##name##_v12_ptsz(                                       \
        TN_FACE_TYPED_PARAMETERS(__VA_ARGS__));                                                    \
    cudaError_t tn_cudart_cuda##name##_v12_ptsz(TN_FACE_TYPED_PARAMETERS(__VA_ARGS__)) {           \
        TN_RT_OF_THREAD;                                                                           \
        return tn_cudart_cuda##name##_v12(TN_FACE_TYPED_ARGUMENTS(__VA_ARGS__));                   \
    }

// ---- devices by numbers instead of locations

static tn_rt_error advise(const void *ptr, size_t size, int advice, int device) {
    TN_RT_REFUSE(advice > TN_RT_UNADVISE_ACCESSED_BY, TN_RT_INVALID_VALUE, "advice %d is unknown",
                 advice);
    return tn_rt_advise(ptr, size, advice, device);
}

OLDER_BOTH(MemAdvise, advise, CUdeviceptr, size_t, int, CUdevice)
OLDER_BOTH_STREAM(MemPrefetchAsync, tn_rt_prefetch, CUdeviceptr, size_t, CUdevice, CUstream)

// ---- lists of copies that say which one failed

OLDER_BOTH_STREAM(MemcpyBatchAsync, tn_rt_copy_list, CUdeviceptr *, CUdeviceptr *, size_t *, size_t,
                  CUmemcpyAttributes *, size_t *, size_t, size_t *, CUstream)
OLDER_BOTH_STREAM(Memcpy3DBatchAsync, tn_rt_copy_boxes, size_t, CUDA_MEMCPY3D_BATCH_OP *, size_t *,
                  unsigned long long, CUstream)

// ---- edges without data

OLDER_BOTH(GraphAddDependencies, TN_FACE_AS(tn_rt_node_link(a, b, c, d, false)), CUgraph,
           const CUgraphNode *, const CUgraphNode *, size_t)
OLDER_BOTH(GraphRemoveDependencies, TN_FACE_AS(tn_rt_node_link(a, b, c, d, true)), CUgraph,
           const CUgraphNode *, const CUgraphNode *, size_t)
OLDER_BOTH(GraphGetEdges, tn_rt_graph_list_edges, CUgraph, CUgraphNode *, CUgraphNode *, size_t *)
OLDER_BOTH(GraphNodeGetDependencies, tn_rt_graph_list_before, CUgraphNode, CUgraphNode *, size_t *)
OLDER_BOTH(GraphNodeGetDependentNodes, tn_rt_graph_list_after, CUgraphNode, CUgraphNode *, size_t *)

// ---- captures

OLDER(cuStreamBeginCapture, TN_FACE_AS(tn_rt_capture_begin(a, TN_RT_CAPTURE_GLOBAL)), CUstream)
TN_CU_TWIN(CUresult, cuStreamBeginCapture, _ptsz, CUstream)
OLDER_BOTH_STREAM(StreamGetCaptureInfo, tn_rt_capture_identify, CUstream, unsigned *,
                  unsigned long long *)
OLDER_BOTH_STREAM(StreamUpdateCaptureDependencies, tn_rt_capture_depend, CUstream, CUgraphNode *,
                  size_t, unsigned int)
OLDER(cuStreamGetCaptureInfo_v2, tn_rt_capture_describe, CUstream, unsigned *, unsigned long long *,
      CUgraph *, const CUgraphNode **, size_t *)
TN_CU_TWIN(CUresult, cuStreamGetCaptureInfo_v2, _ptsz, CUstream, unsigned *, unsigned long long *,
           CUgraph *, const CUgraphNode **, size_t *)

// ---- executable graphs

OLDER(cuGraphInstantiate, tn_rt_graph_instantiate_log, CUgraphExec *, CUgraph, CUgraphNode *,
      char *, size_t)
OLDER(cuGraphInstantiate_v2, tn_rt_graph_instantiate_log, CUgraphExec *, CUgraph, CUgraphNode *,
      char *, size_t)
OLDER(cuGraphExecUpdate, tn_rt_graph_exec_update, CUgraphExec, CUgraph, CUgraphNode *, unsigned *)

// ---- the version of the runtime of release 12

static tn_rt_error get_version(int *version) {
    TN_RT_TRY(tn_rt_check_pointer(version, "version"));
    *version = 12090;
    return TN_RT_OK;
}

TN_CUDA_API cudaError_t tn_cudart_cudaRuntimeGetVersion_v12(int *version);
cudaError_t tn_cudart_cudaRuntimeGetVersion_v12(int *version) {
    return tn_cudart_leave(get_version(version), "cudaRuntimeGetVersion");
}

// ---- first names of functions whose type is the same

TN_CUDA_FIRST_NAMES(TN_FRONT)
