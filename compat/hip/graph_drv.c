// SPDX-License-Identifier: Apache-2.0
// HIP's functions about nodes with the descriptions of the driver. See compat/runtime/graph/node.h.
#include <hip/detail/graph_exec.h>

#include "compat/hip/face.h"
#include "compat/hip/graph_kernel.h"
#include "compat/hip/soname.h"
#include "compat/runtime/node_rows.h"

// Programs of release 6 pass a struct of the driver for fills, those of release 7 that of the runtime.
static tn_rt_error read_fill(const void *params, struct tn_rt_op *op) {
    return tn_hip_soname > 6 ? tn_rt_read_fill(params, op) : tn_rt_read_driver_fill(params, op);
}

// The functions that add a node and change it in an executable graph name a context. Only the first
// checks pitches against the attribute hipDeviceAttributeMaxPitch.
static tn_rt_error add_copy(void *node, void *graph, const void *before, size_t count,
                            const HIP_MEMCPY3D *copy, hipCtx_t ctx) {
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    TN_RT_REFUSE(copy != NULL && (copy->srcPitch >= INT32_MAX || copy->dstPitch >= INT32_MAX),
                 TN_RT_INVALID_VALUE, "pitches %zu and %zu are not below the maximum, %d",
                 copy->srcPitch, copy->dstPitch, INT32_MAX);
    return tn_rt_add_driver_box(node, graph, before, count, copy);
}

static tn_rt_error add_fill(void *node, void *graph, const void *before, size_t count,
                            const HIP_MEMSET_NODE_PARAMS *fill) {
    const struct tn_rt_spot spot = {node, graph, before, count};
    return tn_rt_node_add(&spot, read_fill, fill);
}

TN_HIP_ROW(hipDrvGraphAddMemcpyNode, add_copy, hipGraphNode_t *, phGraphNode, hipGraph_t, hGraph,
           const hipGraphNode_t *, dependencies, size_t, numDependencies, const HIP_MEMCPY3D *,
           copyParams, hipCtx_t, ctx)
TN_HIP_ROW(hipDrvGraphMemcpyNodeGetParams, tn_rt_get_driver_box, hipGraphNode_t, hNode,
           HIP_MEMCPY3D *, nodeParams)
TN_HIP_ROW(hipDrvGraphMemcpyNodeSetParams, tn_rt_set_driver_box, hipGraphNode_t, hNode,
           const HIP_MEMCPY3D *, nodeParams)
TN_HIP_ROW(hipDrvGraphExecMemcpyNodeSetParams,
           TN_FACE_EXPRESSION(tn_rt_change_driver_box(hGraphExec, hNode, copyParams)),
           hipGraphExec_t, hGraphExec, hipGraphNode_t, hNode, const HIP_MEMCPY3D *, copyParams,
           hipCtx_t, ctx)
TN_HIP_ROW(hipDrvGraphAddMemsetNode,
           TN_FACE_EXPRESSION(add_fill(phGraphNode, hGraph, dependencies, numDependencies,
                                       memsetParams)),
           hipGraphNode_t *, phGraphNode, hipGraph_t, hGraph, const hipGraphNode_t *, dependencies,
           size_t, numDependencies, const HIP_MEMSET_NODE_PARAMS *, memsetParams, hipCtx_t, ctx)
TN_HIP_ROW(hipDrvGraphExecMemsetNodeSetParams,
           TN_FACE_EXPRESSION(tn_rt_graph_exec_set(hGraphExec, hNode, TN_RT_WORK_FILL, read_fill,
                                                   memsetParams)),
           hipGraphExec_t, hGraphExec, hipGraphNode_t, hNode, const HIP_MEMSET_NODE_PARAMS *,
           memsetParams, hipCtx_t, ctx)
