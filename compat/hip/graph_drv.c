// SPDX-License-Identifier: Apache-2.0
// HIP's functions about nodes with the descriptions of the driver. See compat/runtime/node.h.
#include <stddef.h>

#include <hip/detail/graph_exec.h>

#include "compat/hip/copy_box.h"
#include "compat/hip/face.h"
#include "compat/hip/soname.h"
#include "compat/runtime/block.h"
#include "compat/runtime/fill.h"
#include "compat/runtime/graph_exec.h"

// ---- copies

static tn_rt_error read_copy(const void *copy, struct tn_rt_op *op) {
    struct tn_rt_box box;
    TN_RT_TRY(tn_hip_read_drv((const HIP_MEMCPY3D *)copy, &box));
    return tn_rt_read_box(&box, op);
}

static hipMemoryType type_of(const struct tn_rt_side *side) {
    const unsigned host = TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED;
    struct tn_rt_block block;
    if (side->is_array) return hipMemoryTypeArray;
    bool known = tn_rt_block_query((const void *)(uintptr_t)side->base, &block);
    return known && (block.kind & host) == 0 ? hipMemoryTypeDevice : hipMemoryTypeHost;
}

// Both pointers of a side are set, so that a program may read either.
static tn_rt_error write_copy(const struct tn_rt_op *op, void *copy) {
    struct tn_rt_box box;
    TN_RT_TRY(tn_rt_write_box(op, &box));
    *(HIP_MEMCPY3D *)copy = (HIP_MEMCPY3D){
        .srcXInBytes = box.src.x,
        .srcY = box.src.y,
        .srcZ = box.src.z,
        .srcMemoryType = type_of(&box.src),
        .srcHost = (const void *)(uintptr_t)box.src.base,
        .srcDevice = (hipDeviceptr_t)(uintptr_t)box.src.base,
        .srcArray = (hipArray_t)(uintptr_t)box.src.array,
        .srcPitch = box.src.pitch,
        .srcHeight = box.src.rows,
        .dstXInBytes = box.dst.x,
        .dstY = box.dst.y,
        .dstZ = box.dst.z,
        .dstMemoryType = type_of(&box.dst),
        .dstHost = (void *)(uintptr_t)box.dst.base,
        .dstDevice = (hipDeviceptr_t)(uintptr_t)box.dst.base,
        .dstArray = (hipArray_t)(uintptr_t)box.dst.array,
        .dstPitch = box.dst.pitch,
        .dstHeight = box.dst.rows,
        .WidthInBytes = box.width,
        .Height = box.height,
        .Depth = box.depth,
    };
    return TN_RT_OK;
}

TN_HIP_FUNCTION(hipDrvGraphAddMemcpyNode, hipGraphNode_t *, phGraphNode, hipGraph_t, hGraph,
                const hipGraphNode_t *, dependencies, size_t, numDependencies, const HIP_MEMCPY3D *,
                copyParams, hipCtx_t, ctx) {
    const struct tn_rt_spot spot = {phGraphNode, hGraph, dependencies, numDependencies};
    TN_RT_TRY(tn_rt_check_pointer(ctx, "ctx"));
    return tn_rt_node_add(&spot, read_copy, copyParams);
}

hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t hNode, HIP_MEMCPY3D *nodeParams) {
    return TN_HIP_CALL(tn_rt_node_params(hNode, TN_RT_WORK_COPY, write_copy, nodeParams));
}

hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t hNode, const HIP_MEMCPY3D *nodeParams) {
    return TN_HIP_CALL(tn_rt_node_set(hNode, TN_RT_WORK_COPY, read_copy, nodeParams));
}

// ---- fills

// Programs of release 6 pass a struct of the driver, those of release 7 that of the runtime.
static tn_rt_error read_fill(const void *params, struct tn_rt_op *op) {
    if (tn_hip_soname > 6) return tn_rt_read_fill(params, op);
    const HIP_MEMSET_NODE_PARAMS *given = (const HIP_MEMSET_NODE_PARAMS *)params;
    const struct tn_rt_fill_rows rows = {given->dst,   given->elementSize, given->height,
                                         given->pitch, given->value,       given->width};
    return tn_rt_read_fill(&rows, op);
}

TN_HIP_FUNCTION(hipDrvGraphAddMemsetNode, hipGraphNode_t *, phGraphNode, hipGraph_t, hGraph,
                const hipGraphNode_t *, dependencies, size_t, numDependencies,
                const HIP_MEMSET_NODE_PARAMS *, memsetParams, hipCtx_t, ctx) {
    const struct tn_rt_spot spot = {phGraphNode, hGraph, dependencies, numDependencies};
    (void)ctx;
    return tn_rt_node_add(&spot, read_fill, memsetParams);
}

// ---- executable graphs: the context is not looked at

hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const HIP_MEMCPY3D *copyParams, hipCtx_t ctx) {
    (void)ctx;
    return TN_HIP_CALL(
        tn_rt_graph_exec_set(hGraphExec, hNode, TN_RT_WORK_COPY, read_copy, copyParams));
}

hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                              const HIP_MEMSET_NODE_PARAMS *memsetParams,
                                              hipCtx_t ctx) {
    (void)ctx;
    return TN_HIP_CALL(
        tn_rt_graph_exec_set(hGraphExec, hNode, TN_RT_WORK_FILL, read_fill, memsetParams));
}
