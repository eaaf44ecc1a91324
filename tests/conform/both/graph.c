// SPDX-License-Identifier: Apache-2.0
// Graphs that are made by hand: nodes, edges, clones, executable graphs, updates and user objects.
#include "begin.h"

#define TN_GROUP "graph"

static CUgraph make_graph(void) {
    CUgraph graph = NULL;
    MUST(cuGraphCreate, &graph, 0);
    return graph;
}

static CUgraphNode add_empty(CUgraph graph, CUgraphNode *after) {
    CUgraphNode node = NULL;
    MUST(cuGraphAddEmptyNode, &node, graph, after, after != NULL);
    return node;
}

#if !IS_HIP
static CUcontext current(void) {
    CUcontext ctx = NULL;
    MUST(cuCtxGetCurrent, &ctx);
    return ctx;
}
#endif

static CUDA_MEMSET_NODE_PARAMS fill_of(CUdeviceptr ptr, size_t bytes) {
    CUDA_MEMSET_NODE_PARAMS fill;
    memset(&fill, 0, sizeof fill);
    fill.dst = ptr;
    fill.value = 7;
    fill.elementSize = 1;
    fill.width = bytes;
    fill.height = 1;
    return fill;
}

QUESTION(created_with_flags, EITHER("cuGraphCreate: flags must be 0", "hipGraphCreate")) {
    CUgraph graph = NULL;
    ASK(cuGraphCreate, &graph, 1);
    ASK(cuGraphCreate, NULL, 0);
    ASK(cuGraphDestroy, NULL);
}

QUESTION(destroyed_twice, EITHER("cuGraphDestroy", "hipGraphDestroy")) {
    CUgraph graph = make_graph();
    ASK(cuGraphDestroy, graph);
    ASK(cuGraphDestroy, graph);
}

QUESTION(used_after_its_end, EITHER("cuGraphGetNodes", "hipGraphGetNodes")) {
    CUgraph graph = make_graph();
    size_t count = 0;
    MUST(cuGraphDestroy, graph);
    ASK(cuGraphGetNodes, graph, NULL, &count);
}

QUESTION(lists_of_nodes,
         EITHER("cuGraphGetNodes: the rest of the list is NULL", "hipGraphGetNodes")) {
    CUgraph graph = make_graph();
    CUgraphNode a = add_empty(graph, NULL), b = add_empty(graph, &a), list[4];
    size_t count = 4;
    memset(list, 0xee, sizeof list);
    ASK(cuGraphGetNodes, graph, list, &count);
    SAY("count", count);
    SAY("ordered", list[0] == a && list[1] == b);
    SAY("rest", list[2] == NULL);
    count = 1;
    ASK(cuGraphGetNodes, graph, list, &count);
    SAY("count", count);
    ASK(cuGraphGetRootNodes, graph, NULL, &count);
    SAY("count", count);
    ASK(cuGraphGetNodes, graph, NULL, NULL);
    MUST(cuGraphDestroy, graph);
}

QUESTION(types, EITHER("cuGraphNodeGetType", "hipGraphNodeGetType")) {
    CUgraph graph = make_graph();
    CUgraphNode node = add_empty(graph, NULL);
    CUgraphNodeType type = (CUgraphNodeType)77;
    ASK(cuGraphNodeGetType, node, &type);
    SAY("type", type);
    ASK(cuGraphNodeGetType, node, NULL);
    ASK(cuGraphNodeGetType, NULL, &type);
    MUST(cuGraphDestroy, graph);
}

QUESTION(edges, EITHER("cuGraphGetEdges", "hipGraphGetEdges")) {
    CUgraph graph = make_graph();
    CUgraphNode a = add_empty(graph, NULL), b = add_empty(graph, &a), from[2], to[2];
    size_t count = 2;
    ASK(cuGraphGetEdges, graph, from, to IN_CUDA(, NULL), &count);
    SAY("count", count);
    SAY("right", from[0] == a && to[0] == b);
    ASK(cuGraphGetEdges, graph, from, NULL IN_CUDA(, NULL), &count);
    ASK(cuGraphNodeGetDependencies, b, NULL IN_CUDA(, NULL), &count);
    SAY("count", count);
    ASK(cuGraphNodeGetDependentNodes, a, NULL IN_CUDA(, NULL), &count);
    SAY("count", count);
    MUST(cuGraphDestroy, graph);
}

QUESTION(edges_twice, EITHER("cuGraphAddDependencies", "hipGraphAddDependencies")) {
    CUgraph graph = make_graph();
    CUgraphNode a = add_empty(graph, NULL), b = add_empty(graph, &a);
    ASK(cuGraphAddDependencies, graph, &a, &b IN_CUDA(, NULL), 1);
    ASK(cuGraphAddDependencies, graph, &a, &a IN_CUDA(, NULL), 1);
    ASK(cuGraphAddDependencies, graph, &a, &b IN_CUDA(, NULL), 0);
    ASK(cuGraphRemoveDependencies, graph, &a, &b IN_CUDA(, NULL), 1);
    ASK(cuGraphRemoveDependencies, graph, &a, &b IN_CUDA(, NULL), 1);
    MUST(cuGraphDestroy, graph);
}

QUESTION(cycles, EITHER("cuGraphAddDependencies, cuGraphInstantiate",
                        "hipGraphAddDependencies, hipGraphInstantiate")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    CUgraphNode a = add_empty(graph, NULL), b = add_empty(graph, &a);
    ASK(cuGraphAddDependencies, graph, &b, &a IN_CUDA(, NULL), 1);
    ASK(cuGraphInstantiateWithFlags, &exec, graph, 0);
    SAY("null", exec == NULL);
    MUST(cuGraphDestroy, graph);
}

QUESTION(edges_between_graphs, EITHER("cuGraphAddDependencies", "hipGraphAddDependencies")) {
    CUgraph one = make_graph(), other = make_graph();
    CUgraphNode a = add_empty(one, NULL), b = add_empty(other, NULL), c = NULL;
    ASK(cuGraphAddDependencies, one, &a, &b IN_CUDA(, NULL), 1);
    ASK(cuGraphAddEmptyNode, &c, one, &b, 1);
    MUST(cuGraphDestroy, one);
    MUST(cuGraphDestroy, other);
}

QUESTION(nodes_with_bad_lists, EITHER("cuGraphAddEmptyNode", "hipGraphAddEmptyNode")) {
    CUgraph graph = make_graph();
    CUgraphNode a = add_empty(graph, NULL), twice[] = {a, a}, node = NULL;
    ASK(cuGraphAddEmptyNode, &node, graph, NULL, 1);
    ASK(cuGraphAddEmptyNode, &node, graph, twice, 2);
    ASK(cuGraphAddEmptyNode, NULL, graph, NULL, 0);
    ASK(cuGraphAddEmptyNode, &node, NULL, NULL, 0);
    MUST(cuGraphDestroy, graph);
}

QUESTION(destroyed_nodes, EITHER("cuGraphDestroyNode", "hipGraphDestroyNode")) {
    CUgraph graph = make_graph();
    CUgraphNode a = add_empty(graph, NULL);
    size_t count = 77;
    add_empty(graph, &a);
    ASK(cuGraphDestroyNode, a);
    ASK(cuGraphGetNodes, graph, NULL, &count);
    SAY("count", count);
    ASK(cuGraphGetEdges, graph, NULL, NULL IN_CUDA(, NULL), &count);
    SAY("count", count);
    MUST(cuGraphDestroy, graph);
}

QUESTION(clones, EITHER("cuGraphClone", "hipGraphClone")) {
    CUgraph graph = make_graph(), clone = NULL;
    CUgraphNode a = add_empty(graph, NULL), twin = NULL;
    ASK(cuGraphClone, &clone, graph);
    ASK(cuGraphNodeFindInClone, &twin, a, clone);
    SAY("new", twin != a);
    ASK(cuGraphNodeFindInClone, &twin, a, graph);
    ASK(cuGraphDestroyNode, twin);
    ASK(cuGraphNodeFindInClone, &twin, a, clone);
    MUST(cuGraphDestroy, clone);
    MUST(cuGraphDestroy, graph);
}

QUESTION(executable_graphs, EITHER("cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    cuuint64_t flags = 77;
    add_empty(graph, NULL);
    ASK(cuGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(cuGraphExecGetFlags, exec, &flags);
    SAY("flags", flags);
    ASK(cuGraphUpload, exec, NULL);
    ASK(cuGraphLaunch, exec, NULL);
    MUST(cuGraphDestroy, graph);
    ASK(cuGraphLaunch, exec, NULL);
    MUST0(cuCtxSynchronize);
    ASK(cuGraphExecDestroy, exec);
    ASK(cuGraphLaunch, NULL, NULL);
    ASK(cuGraphExecDestroy, NULL);
}

QUESTION(instantiated_with_bad_flags,
         EITHER("cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    ASK(cuGraphInstantiateWithFlags, &exec, graph, 0x100);
    ASK(cuGraphInstantiateWithFlags, NULL, graph, 0);
    ASK(cuGraphInstantiateWithFlags, &exec, NULL, 0);
    MUST(cuGraphDestroy, graph);
}

QUESTION(empty_graphs, EITHER("cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    ASK(cuGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(cuGraphLaunch, exec, NULL);
    MUST0(cuCtxSynchronize);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
}

QUESTION(instantiated_with_parameters,
         EITHER("cuGraphInstantiateWithParams", "hipGraphInstantiateWithParams")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    CUDA_GRAPH_INSTANTIATE_PARAMS params;
    memset(&params, 0, sizeof params);
    params.flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    add_empty(graph, NULL);
    ASK(cuGraphInstantiateWithParams, &exec, graph, &params);
    SAY("result", params.result_out);
    MUST(cuGraphExecDestroy, exec);
    params.flags = 0x100;
    ASK(cuGraphInstantiateWithParams, &exec, graph, &params);
    SAY("result", params.result_out);
    MUST(cuGraphDestroy, graph);
}

QUESTION(destroyed_while_it_runs, EITHER("cuGraphExecDestroy", "hipGraphExecDestroy")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    CUstream stream = make_stream();
    int gate;
    add_empty(graph, NULL);
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    close_gate(stream, &gate);
    ASK(cuGraphLaunch, exec, stream);
    ASK(cuGraphExecDestroy, exec);
    open_gate(&gate);
    ASK(cuStreamSynchronize, stream);
    MUST(cuGraphDestroy, graph);
    MUST(cuStreamDestroy, stream);
}

// Updates the executable graph by another graph, and states the result.
static void try_update(CUgraphExec exec, CUgraph graph) {
#if IS_HIP
    hipGraphNode_t failed = NULL;
    hipGraphExecUpdateResult result = (hipGraphExecUpdateResult)77;
    ASK(hipGraphExecUpdate, exec, graph, &failed, &result);
    SAY("result", result);
#else
    CUgraphExecUpdateResultInfo info = {0};
    ASK(cuGraphExecUpdate, exec, graph, &info);
    SAY("result", info.result);
#endif
}

QUESTION(updates_of_the_same_shape, EITHER("cuGraphExecUpdate", "hipGraphExecUpdate")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    add_empty(graph, NULL);
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    try_update(exec, graph);
    add_empty(graph, NULL);
    try_update(exec, graph);
    ASK(cuGraphExecUpdate, exec, graph, NULL IN_HIP(, NULL));
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
}

QUESTION(updates_of_another_type, EITHER("cuGraphExecUpdate", "hipGraphExecUpdate")) {
    CUgraph one = make_graph(), other = make_graph();
    CUgraphExec exec = NULL;
    CUdeviceptr ptr = make_memory(64);
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(ptr, 64);
    CUgraphNode node = NULL;
    add_empty(one, NULL);
    MUST(cuGraphAddMemsetNode, &node, other, NULL, 0, &fill IN_CUDA(, current()));
    MUST(cuGraphInstantiateWithFlags, &exec, one, 0);
    try_update(exec, other);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, one);
    MUST(cuGraphDestroy, other);
    MUST(cuMemFree, ptr);
}

QUESTION(fills, EITHER("cuGraphAddMemsetNode", "hipGraphAddMemsetNode")) {
    CUgraph graph = make_graph();
    CUdeviceptr ptr = make_memory(4096);
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(ptr, 64), got = {0};
    CUgraphNode node = NULL;
    CUgraphExec exec = NULL;
    unsigned char byte = 0;
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, current()));
    ASK(cuGraphMemsetNodeGetParams, node, &got);
    SAY("width", got.width);
    SAY("value", got.value);
    SAY("size", got.elementSize);
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    fill.value = 9;
    ASK(cuGraphExecMemsetNodeSetParams, exec, node, &fill IN_CUDA(, current()));
    ASK(cuGraphLaunch, exec, NULL);
    MUST0(cuCtxSynchronize);
    MUST(cuMemcpyDtoH, &byte, ptr, 1);
    SAY("byte", byte);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
    MUST(cuMemFree, ptr);
}

QUESTION(bad_fills, EITHER("cuGraphAddMemsetNode", "hipGraphAddMemsetNode")) {
    CUgraph graph = make_graph();
    CUdeviceptr ptr = make_memory(4096);
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(ptr, 64);
    CUgraphNode node = NULL;
    fill.elementSize = 3;
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, current()));
    fill = fill_of(0, 64);
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, current()));
    fill = fill_of(ptr, 0);
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, current()));
    fill = fill_of(ptr, 64 * MIB);
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, current()));
    fill = fill_of(ptr + 1, 4);
    fill.elementSize = 4;
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, current()));
    fill = fill_of(ptr, 64);
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, NULL));
    ASK(cuGraphAddMemsetNode, &node, graph, NULL, 0, NULL IN_CUDA(, current()));
    MUST(cuGraphDestroy, graph);
    MUST(cuMemFree, ptr);
}

static void add_one(void *value) { (*(int *)value)++; }

QUESTION(functions, EITHER("cuGraphAddHostNode", "hipGraphAddHostNode")) {
    CUgraph graph = make_graph();
    CUgraphNode node = NULL;
    CUgraphExec exec = NULL;
    int value = 0;
    unsigned enabled = 77;
    CUDA_HOST_NODE_PARAMS call;
    memset(&call, 0, sizeof call);
    ASK(cuGraphAddHostNode, &node, graph, NULL, 0, &call);
    call.fn = add_one;
    call.userData = &value;
    ASK(cuGraphAddHostNode, &node, graph, NULL, 0, &call);
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(cuGraphNodeGetEnabled, exec, node, &enabled);
    ASK(cuGraphNodeSetEnabled, exec, node, 0);
    for (int i = 0; i < 2; i++) MUST(cuGraphLaunch, exec, NULL);
    MUST0(cuCtxSynchronize);
    SAY("value", value);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
}

QUESTION(disabled_nodes, EITHER("cuGraphNodeSetEnabled", "hipGraphNodeSetEnabled")) {
    CUgraph graph = make_graph();
    CUdeviceptr ptr = make_memory(64);
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(ptr, 64);
    CUgraphNode node = NULL, empty = add_empty(graph, NULL);
    CUgraphExec exec = NULL;
    unsigned enabled = 77;
    unsigned char byte = 0;
    MUST(cuMemsetD8, ptr, 1, 64);
    MUST(cuGraphAddMemsetNode, &node, graph, NULL, 0, &fill IN_CUDA(, current()));
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(cuGraphNodeSetEnabled, exec, node, 0);
    ASK(cuGraphNodeGetEnabled, exec, node, &enabled);
    SAY("enabled", enabled);
    ASK(cuGraphNodeSetEnabled, exec, empty, 0);
    MUST(cuGraphLaunch, exec, NULL);
    MUST0(cuCtxSynchronize);
    MUST(cuMemcpyDtoH, &byte, ptr, 1);
    SAY("byte", byte);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
    MUST(cuMemFree, ptr);
}

QUESTION(events, EITHER("cuGraphAddEventRecordNode", "hipGraphAddEventRecordNode")) {
    CUgraph graph = make_graph();
    CUevent event = make_event(0), got = NULL;
    CUgraphNode record = NULL, wait = NULL;
    CUgraphExec exec = NULL;
    ASK(cuGraphAddEventRecordNode, &record, graph, NULL, 0, event);
    ASK(cuGraphAddEventWaitNode, &wait, graph, &record, 1, event);
    ASK(cuGraphEventRecordNodeGetEvent, record, &got);
    SAY("same", got == event);
    ASK(cuGraphAddEventRecordNode, &record, graph, NULL, 0, NULL);
    ASK(cuGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(cuGraphLaunch, exec, NULL);
    MUST0(cuCtxSynchronize);
    ASK(cuEventQuery, event);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
    MUST(cuEventDestroy, event);
}

QUESTION(children, EITHER("cuGraphAddChildGraphNode", "hipGraphAddChildGraphNode")) {
    CUgraph graph = make_graph(), child = make_graph(), copy = NULL;
    CUgraphNode node = NULL;
    size_t count = 77;
    add_empty(child, NULL);
    ASK(cuGraphAddChildGraphNode, &node, graph, NULL, 0, child);
    ASK(cuGraphChildGraphNodeGetGraph, node, &copy);
    SAY("new", copy != child);
    ASK(cuGraphGetNodes, copy, NULL, &count);
    SAY("count", count);
    ASK(cuGraphAddChildGraphNode, &node, graph, NULL, 0, graph);
    ASK(cuGraphAddChildGraphNode, &node, graph, NULL, 0, NULL);
    MUST(cuGraphDestroy, graph);
    MUST(cuGraphDestroy, child);
}

static CUDA_MEM_ALLOC_NODE_PARAMS alloc_of(size_t bytes) {
    CUDA_MEM_ALLOC_NODE_PARAMS alloc;
    memset(&alloc, 0, sizeof alloc);
    alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    alloc.bytesize = bytes;
    return alloc;
}

QUESTION(memory_nodes, EITHER("cuGraphAddMemAllocNode", "hipGraphAddMemAllocNode")) {
    CUgraph graph = make_graph(), clone = NULL;
    CUDA_MEM_ALLOC_NODE_PARAMS alloc = alloc_of(4096), got = alloc_of(0);
    CUgraphNode first = NULL, last = NULL, more = NULL;
    CUdeviceptr freed = 0;
    ASK(cuGraphAddMemAllocNode, &first, graph, NULL, 0, &alloc);
    SAY("has_address", alloc.dptr != 0);
    ASK(cuGraphMemAllocNodeGetParams, first, &got);
    SAY("same", got.dptr == alloc.dptr);
    SAY("bytes", got.bytesize);
    ASK(cuGraphAddMemFreeNode, &last, graph, &first, 1, alloc.dptr);
    ASK(cuGraphMemFreeNodeGetParams, last, &freed);
    SAY("same", freed == alloc.dptr);
    ASK(cuGraphAddMemFreeNode, &more, graph, &first, 1, alloc.dptr);
    ASK(cuGraphClone, &clone, graph);
    ASK(cuGraphDestroyNode, last);
    ASK(cuGraphRemoveDependencies, graph, &first, &last IN_CUDA(, NULL), 1);
    MUST(cuGraphDestroy, graph);
}

QUESTION(two_instances_of_memory_nodes, "graph memory nodes: one instance at a time") {
    CUgraph graph = make_graph();
    CUDA_MEM_ALLOC_NODE_PARAMS alloc = alloc_of(4096);
    CUgraphNode first = NULL, last = NULL;
    CUgraphExec exec = NULL, other = NULL;
    MUST(cuGraphAddMemAllocNode, &first, graph, NULL, 0, &alloc);
    MUST(cuGraphAddMemFreeNode, &last, graph, &first, 1, alloc.dptr);
    ASK(cuGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(cuGraphInstantiateWithFlags, &other, graph, 0);
    if (other != NULL) MUST(cuGraphExecDestroy, other);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
}

QUESTION(bad_memory_nodes, EITHER("cuGraphAddMemAllocNode", "hipGraphAddMemAllocNode")) {
    CUgraph graph = make_graph();
    CUDA_MEM_ALLOC_NODE_PARAMS alloc = alloc_of(0);
    CUgraphNode node = NULL;
    CUdeviceptr plain = make_memory(64);
    ASK(cuGraphAddMemAllocNode, &node, graph, NULL, 0, &alloc);
    alloc = alloc_of(4096);
    alloc.poolProps.location.id = 99;
    ASK(cuGraphAddMemAllocNode, &node, graph, NULL, 0, &alloc);
    alloc = alloc_of(4096);
    alloc.poolProps.handleTypes = (CUmemAllocationHandleType)1;
    ASK(cuGraphAddMemAllocNode, &node, graph, NULL, 0, &alloc);
    ASK(cuGraphAddMemFreeNode, &node, graph, NULL, 0, plain);
    ASK(cuGraphAddMemFreeNode, &node, graph, NULL, 0, 0);
    MUST(cuGraphDestroy, graph);
    MUST(cuMemFree, plain);
}

QUESTION(user_objects, EITHER("cuUserObjectCreate", "hipUserObjectCreate")) {
    CUgraph graph = make_graph();
    CUuserObject object = NULL;
    int calls = 0;
    ASK(cuUserObjectCreate, &object, &calls, add_one, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    ASK(cuUserObjectRetain, object, 2);
    ASK(cuGraphRetainUserObject, graph, object, 1, 0);
    ASK(cuUserObjectRelease, object, 3);
    SAY("calls", calls);
    ASK(cuGraphReleaseUserObject, graph, object, 1);
    MUST0(cuCtxSynchronize);
    for (int i = 0; i < 1000 && __atomic_load_n(&calls, __ATOMIC_ACQUIRE) == 0; i++)
        CALL(cuStreamQuery, NULL);
    MUST(cuGraphDestroy, graph);
}

QUESTION(bad_user_objects, EITHER("cuUserObjectCreate", "hipUserObjectCreate")) {
    CUuserObject object = NULL;
    int calls = 0;
    ASK(cuUserObjectCreate, &object, &calls, add_one, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    ASK(cuUserObjectCreate, &object, &calls, add_one, 1, 0);
    ASK(cuUserObjectCreate, &object, &calls, NULL, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    ASK(cuUserObjectCreate, NULL, &calls, add_one, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    ASK(cuUserObjectRetain, NULL, 1);
}

QUESTION(launched_on_special_streams, EITHER("cuGraphLaunch", "hipGraphLaunch")) {
    CUgraph graph = make_graph();
    CUgraphExec exec = NULL;
    add_empty(graph, NULL);
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(cuGraphLaunch, exec, NULL);
    ASK(cuGraphLaunch, exec, CU_STREAM_LEGACY);
    ASK(cuGraphLaunch, exec, CU_STREAM_PER_THREAD);
    MUST0(cuCtxSynchronize);
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
}

QUESTION(launched_in_a_capture, EITHER("cuGraphLaunch in a capture is a child", "hipGraphLaunch")) {
    CUgraph graph = make_graph(), outer = NULL;
    CUgraphExec exec = NULL;
    CUgraphNode node = NULL;
    CUgraphNodeType type = (CUgraphNodeType)77;
    CUstream stream = make_stream();
    size_t count = 1;
    add_empty(graph, NULL);
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    MUST(cuStreamBeginCapture, stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    ASK(cuGraphLaunch, exec, stream);
    ASK(cuStreamEndCapture, stream, &outer);
    if (outer != NULL) {
        MUST(cuGraphGetNodes, outer, &node, &count);
        SAY("count", count);
        if (count == 1) MUST(cuGraphNodeGetType, node, &type);
        SAY("type", type);
        MUST(cuGraphDestroy, outer);
    }
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, graph);
    MUST(cuStreamDestroy, stream);
}
