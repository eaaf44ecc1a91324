// SPDX-License-Identifier: Apache-2.0
// Conditions of the manual that no GPU was asked about: the driver's side of tests/compat/cuda/manual.c.
#include "begin.h"

#define TN_GROUP "manual"

#define BYTES ((size_t)1 << 16)

static const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};

static CUcontext current(void) {
    CUcontext ctx = NULL;
    MUST(cuCtxGetCurrent, &ctx);
    return ctx;
}

// ---- hints about managed memory

QUESTION(prefetches_to_nodes, "cuMemPrefetchAsync: a valid host NUMA node") {
    CUdeviceptr ptr = make_managed(BYTES);
    CUmemLocation node = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
    ASK(cuMemPrefetchAsync, ptr, BYTES, node, 0, NULL);
    node.id = 500;
    ASK(cuMemPrefetchAsync, ptr, BYTES, node, 0, NULL);
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, node);
    node.id = -1;
    ASK(cuMemPrefetchAsync, ptr, BYTES, node, 0, NULL);
    node.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    ASK(cuMemPrefetchAsync, ptr, BYTES, node, 0, NULL);
    MUST(cuMemFree, ptr);
}

QUESTION(accessors, "cuMemAdvise: CU_MEM_ADVISE_SET_ACCESSED_BY") {
    CUdeviceptr ptr = make_managed(BYTES);
    CUmemLocation place = {CU_MEM_LOCATION_TYPE_HOST, 9};
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, place);
    place = (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, place);
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_UNSET_ACCESSED_BY, place);
    place.type = CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_ACCESSED_BY, place);
    place.type = (CUmemLocationType)77;
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_SET_READ_MOSTLY, place);
    ASK(cuMemAdvise, ptr, BYTES, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, place);
    MUST(cuMemFree, ptr);
}

QUESTION(lists_of_ranges, "cuMemPrefetchBatchAsync, cuMemDiscardBatchAsync") {
    CUdeviceptr ptr = make_managed(BYTES);
    CUdeviceptr ptrs[] = {ptr, ptr + 4096, ptr + 8192};
    CUmemLocation places[] = {device, device, device};
    size_t sizes[] = {4096, 4096, 4096};
    size_t orders[][3] = {{0, 1, 2}, {0, 0, 1}, {0, 2, 1}, {0, 1, 9}, {1, 2, 3}};
    CUstream stream = make_stream();
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        ASK(cuMemPrefetchBatchAsync, ptrs, sizes, 3, places, orders[i], 3, 0, stream);
    ASK(cuMemPrefetchBatchAsync, ptrs, sizes, 3, places, orders[0], 1, 0, NULL);
    ASK(cuMemPrefetchBatchAsync, ptrs, sizes, 3, places, orders[0], 1, 0, CU_STREAM_PER_THREAD);
    ASK(cuMemDiscardBatchAsync, ptrs, sizes, 3, 0, stream);
    ASK(cuMemDiscardBatchAsync, ptrs, sizes, 3, 0, NULL);
    ASK(cuMemDiscardAndPrefetchBatchAsync, ptrs, sizes, 3, places, orders[0], 1, 0, NULL);
    MUST(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemFree, ptr);
}

QUESTION(lists_of_boxes, "cuMemcpy3DBatchAsync") {
    CUdeviceptr ptr = make_memory(BYTES);
    CUstream stream = make_stream();
    CUDA_MEMCPY3D_BATCH_OP box = {
        .src = {CU_MEMCPY_OPERAND_TYPE_POINTER, {.ptr = {.ptr = ptr}}},
        .dst = {CU_MEMCPY_OPERAND_TYPE_POINTER, {.ptr = {.ptr = ptr + BYTES / 2}}},
        .extent = {16, 2, 1},
        .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    ASK(cuMemcpy3DBatchAsync, 1, &box, 0, stream);
    ASK(cuMemcpy3DBatchAsync, 1, &box, 0, NULL);
    box.srcAccessOrder = (CUmemcpySrcAccessOrder)0;
    ASK(cuMemcpy3DBatchAsync, 1, &box, 0, stream);
    box.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    box.extent.height = 0;
    ASK(cuMemcpy3DBatchAsync, 1, &box, 0, stream);
    MUST(cuStreamSynchronize, stream);
    MUST(cuStreamDestroy, stream);
    MUST(cuMemFree, ptr);
}

// ---- changes of executable graphs

static CUDA_MEMSET_NODE_PARAMS fill_of(CUdeviceptr ptr, size_t width, size_t height, size_t pitch) {
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = ptr, .pitch = pitch, .elementSize = 4, .width = width, .height = height};
}

QUESTION(changed_fills, "cuGraphExecMemsetNodeSetParams") {
    CUdeviceptr ptr = make_memory(BYTES), managed = make_managed(BYTES);
    const CUDA_MEMSET_NODE_PARAMS first[] = {fill_of(ptr, 16, 1, 0), fill_of(ptr, 16, 4, 128)};
    const CUDA_MEMSET_NODE_PARAMS next[] = {fill_of(ptr, 8, 1, 0),      fill_of(ptr, 16, 4, 128),
                                            fill_of(managed, 16, 1, 0), fill_of(ptr, 16, 1, 128),
                                            fill_of(ptr, 8, 4, 128),    fill_of(ptr, 16, 4, 256)};
    CUgraphNode node = NULL;
    for (size_t i = 0; i < 2; i++) {
        CUgraph graph = NULL;
        CUgraphExec exec = NULL;
        MUST(cuGraphCreate, &graph, 0);
        MUST(cuGraphAddMemsetNode, &node, graph, NULL, 0, &first[i], current());
        MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
        for (size_t j = 0; j < sizeof next / sizeof *next; j++)
            ASK(cuGraphExecMemsetNodeSetParams, exec, node, &next[j], current());
        MUST(cuGraphExecDestroy, exec);
        MUST(cuGraphDestroy, graph);
    }
    CUgraph graph = NULL;
    const CUDA_MEMSET_NODE_PARAMS odd = fill_of(ptr, 16, 4, 66);
    MUST(cuGraphCreate, &graph, 0);
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &odd, current());
    MUST(cuGraphDestroy, graph);
    MUST(cuMemFree, managed);
    MUST(cuMemFree, ptr);
}

QUESTION(changed_copies, "cuGraphExecMemcpyNodeSetParams: operands must be 1-dimensional") {
    CUdeviceptr ptr = make_memory(BYTES);
    CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = ptr,
                          .srcPitch = 128,
                          .srcHeight = 4,
                          .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                          .dstDevice = ptr + BYTES / 2,
                          .dstPitch = 128,
                          .dstHeight = 4,
                          .WidthInBytes = 64,
                          .Depth = 1};
    for (size_t height = 1; height <= 4; height += 3) {
        CUgraph graph = NULL;
        CUgraphNode node = NULL;
        CUgraphExec exec = NULL;
        copy.Height = height;
        copy.WidthInBytes = 64;
        MUST(cuGraphCreate, &graph, 0);
        MUST(cuGraphAddMemcpyNode, &node, graph, NULL, 0, &copy, current());
        MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
        ASK(cuGraphExecMemcpyNodeSetParams, exec, node, &copy, current());
        copy.WidthInBytes = 32;
        ASK(cuGraphExecMemcpyNodeSetParams, exec, node, &copy, current());
        copy.Height = 5 - height;
        ASK(cuGraphExecMemcpyNodeSetParams, exec, node, &copy, current());
        MUST(cuGraphExecDestroy, exec);
        MUST(cuGraphDestroy, graph);
    }
    MUST(cuMemFree, ptr);
}

// ---- child graphs

static CUgraph make_child(bool allocates) {
    CUgraph graph = NULL;
    CUgraphNode node = NULL, end = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS params;
    MUST(cuGraphCreate, &graph, 0);
    memset(&params, 0, sizeof params);
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location = device;
    params.bytesize = 4096;
    if (allocates) {
        MUST(cuGraphAddMemAllocNode, &node, graph, NULL, 0, &params);
        MUST(cuGraphAddMemFreeNode, &end, graph, &node, 1, params.dptr);
    }
    return graph;
}

QUESTION(children_with_memory, "CUgraphChildGraphNodeOwnership") {
    CUgraph graph = make_child(false), child = make_child(true);
    CUgraphNode node = NULL;
    CUgraphNodeParams params;
    CUgraphExec exec = NULL;
    memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_GRAPH;
    params.graph.graph = child;
    ASK(cuGraphAddChildGraphNode, &node, graph, NULL, 0, child);
    ASK(cuGraphAddNode, &node, graph, NULL, NULL, 0, &params);
    params.graph.ownership = (CUgraphChildGraphNodeOwnership)77;
    ASK(cuGraphAddNode, &node, graph, NULL, NULL, 0, &params);
    params.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    ASK(cuGraphAddNode, &node, graph, NULL, NULL, 0, &params);
    ASK(cuGraphDestroy, child);
    ASK(cuGraphInstantiateWithFlags, &exec, child, 0);
    ASK(cuGraphAddNode, &node, graph, NULL, NULL, 0, &params);
    MUST(cuGraphDestroy, graph);
}

QUESTION(instances_one_after_another, "graph memory nodes: one instance at a time") {
    CUgraph graph = make_child(true);
    for (int i = 0; i < 2; i++) {
        CUgraphExec exec = NULL;
        ASK(cuGraphInstantiateWithFlags, &exec, graph, 0);
        if (exec != NULL) MUST(cuGraphExecDestroy, exec);
    }
    MUST(cuGraphDestroy, graph);
}

QUESTION(nodes_without_work, "CUgraphNodeParams: reserved and unused bytes are zero") {
    CUgraph graph = make_child(false);
    CUgraphNode node = NULL;
    CUgraphNodeParams params;
    memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_EMPTY;
    ASK(cuGraphAddNode, &node, graph, NULL, NULL, 0, &params);
    params.reserved2 = 1;
    ASK(cuGraphAddNode, &node, graph, NULL, NULL, 0, &params);
    params.reserved2 = 0;
    params.reserved0[1] = 1;
    ASK(cuGraphAddNode, &node, graph, NULL, NULL, 0, &params);
    MUST(cuGraphDestroy, graph);
}
