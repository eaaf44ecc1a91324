// SPDX-License-Identifier: Apache-2.0
// Graphs that are made by hand: nodes, edges, clones, executable graphs, updates and user objects.
#include "old.h"

#define TN_GROUP "graph"

static hipGraph_t make_graph(void) {
    hipGraph_t graph = NULL;
    MUST(hipGraphCreate, &graph, 0);
    return graph;
}

static hipGraphNode_t add_empty(hipGraph_t graph, hipGraphNode_t *after) {
    hipGraphNode_t node = NULL;
    MUST(hipGraphAddEmptyNode, &node, graph, after, after != NULL);
    return node;
}

static hipMemsetParams fill_of(uintptr_t ptr, size_t bytes) {
    hipMemsetParams fill;
    memset(&fill, 0, sizeof fill);
    fill.dst = pointer(ptr);
    fill.value = 7;
    fill.elementSize = 1;
    fill.width = bytes;
    fill.height = 1;
    return fill;
}

QUESTION(created_with_flags, "hipGraphCreate") {
    hipGraph_t graph = NULL;
    ASK(hipGraphCreate, &graph, 1);
    ASK(hipGraphCreate, NULL, 0);
    ASK(hipGraphDestroy, NULL);
}

QUESTION(destroyed_twice, "hipGraphDestroy") {
    hipGraph_t graph = make_graph();
    ASK(hipGraphDestroy, graph);
    ASK(hipGraphDestroy, graph);
}

QUESTION(used_after_its_end, "hipGraphGetNodes") {
    hipGraph_t graph = make_graph();
    size_t count = 0;
    MUST(hipGraphDestroy, graph);
    ASK(hipGraphGetNodes, graph, NULL, &count);
}

QUESTION(lists_of_nodes, "hipGraphGetNodes") {
    hipGraph_t graph = make_graph();
    hipGraphNode_t a = add_empty(graph, NULL), b = add_empty(graph, &a), list[4];
    size_t count = 4;
    memset(list, 0xee, sizeof list);
    ASK(hipGraphGetNodes, graph, list, &count);
    SAY("count", count);
    SAY("ordered", list[0] == a && list[1] == b);
    SAY("rest", list[2] == NULL);
    count = 1;
    ASK(hipGraphGetNodes, graph, list, &count);
    SAY("count", count);
    ASK(hipGraphGetRootNodes, graph, NULL, &count);
    SAY("count", count);
    ASK(hipGraphGetNodes, graph, NULL, NULL);
    MUST(hipGraphDestroy, graph);
}

QUESTION(types, "hipGraphNodeGetType") {
    hipGraph_t graph = make_graph();
    hipGraphNode_t node = add_empty(graph, NULL);
    hipGraphNodeType type = (hipGraphNodeType)77;
    ASK(hipGraphNodeGetType, node, &type);
    SAY("type", type);
    ASK(hipGraphNodeGetType, node, NULL);
    ASK(hipGraphNodeGetType, NULL, &type);
    MUST(hipGraphDestroy, graph);
}

QUESTION(edges, "hipGraphGetEdges") {
    hipGraph_t graph = make_graph();
    hipGraphNode_t a = add_empty(graph, NULL), b = add_empty(graph, &a), from[2], to[2];
    size_t count = 2;
    ASK(hipGraphGetEdges, graph, from, to, &count);
    SAY("count", count);
    SAY("right", from[0] == a && to[0] == b);
    ASK(hipGraphGetEdges, graph, from, NULL, &count);
    ASK(hipGraphNodeGetDependencies, b, NULL, &count);
    SAY("count", count);
    ASK(hipGraphNodeGetDependentNodes, a, NULL, &count);
    SAY("count", count);
    MUST(hipGraphDestroy, graph);
}

QUESTION(edges_twice, "hipGraphAddDependencies") {
    hipGraph_t graph = make_graph();
    hipGraphNode_t a = add_empty(graph, NULL), b = add_empty(graph, &a);
    ASK(hipGraphAddDependencies, graph, &a, &b, 1);
    ASK(hipGraphAddDependencies, graph, &a, &a, 1);
    ASK(hipGraphAddDependencies, graph, &a, &b, 0);
    ASK(hipGraphRemoveDependencies, graph, &a, &b, 1);
    ASK(hipGraphRemoveDependencies, graph, &a, &b, 1);
    MUST(hipGraphDestroy, graph);
}

QUESTION(cycles, "hipGraphAddDependencies, hipGraphInstantiate") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    hipGraphNode_t a = add_empty(graph, NULL), b = add_empty(graph, &a);
    ASK(hipGraphAddDependencies, graph, &b, &a, 1);
    ASK(hipGraphInstantiateWithFlags, &exec, graph, 0);
    SAY("null", exec == NULL);
    MUST(hipGraphDestroy, graph);
}

QUESTION(edges_between_graphs, "hipGraphAddDependencies") {
    hipGraph_t one = make_graph(), other = make_graph();
    hipGraphNode_t a = add_empty(one, NULL), b = add_empty(other, NULL), c = NULL;
    ASK(hipGraphAddDependencies, one, &a, &b, 1);
    ASK(hipGraphAddEmptyNode, &c, one, &b, 1);
    MUST(hipGraphDestroy, one);
    MUST(hipGraphDestroy, other);
}

QUESTION(nodes_with_bad_lists, "hipGraphAddEmptyNode") {
    hipGraph_t graph = make_graph();
    hipGraphNode_t a = add_empty(graph, NULL), twice[] = {a, a}, node = NULL;
    ASK(hipGraphAddEmptyNode, &node, graph, NULL, 1);
    ASK(hipGraphAddEmptyNode, &node, graph, twice, 2);
    ASK(hipGraphAddEmptyNode, NULL, graph, NULL, 0);
    ASK(hipGraphAddEmptyNode, &node, NULL, NULL, 0);
    MUST(hipGraphDestroy, graph);
}

QUESTION(destroyed_nodes, "hipGraphDestroyNode") {
    hipGraph_t graph = make_graph();
    hipGraphNode_t a = add_empty(graph, NULL);
    size_t count = 77;
    add_empty(graph, &a);
    ASK(hipGraphDestroyNode, a);
    ASK(hipGraphGetNodes, graph, NULL, &count);
    SAY("count", count);
    ASK(hipGraphGetEdges, graph, NULL, NULL, &count);
    SAY("count", count);
    MUST(hipGraphDestroy, graph);
}

QUESTION(clones, "hipGraphClone") {
    hipGraph_t graph = make_graph(), clone = NULL;
    hipGraphNode_t a = add_empty(graph, NULL), twin = NULL;
    ASK(hipGraphClone, &clone, graph);
    ASK(hipGraphNodeFindInClone, &twin, a, clone);
    SAY("new", twin != a);
    ASK(hipGraphNodeFindInClone, &twin, a, graph);
    ASK(hipGraphDestroyNode, twin);
    ASK(hipGraphNodeFindInClone, &twin, a, clone);
    MUST(hipGraphDestroy, clone);
    MUST(hipGraphDestroy, graph);
}

QUESTION(executable_graphs, "hipGraphInstantiateWithFlags") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    unsigned long long flags = 77;
    add_empty(graph, NULL);
    ASK(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphExecGetFlags, exec, &flags);
    SAY("flags", flags);
    ASK(hipGraphUpload, exec, NULL);
    ASK(hipGraphLaunch, exec, NULL);
    MUST(hipGraphDestroy, graph);
    ASK(hipGraphLaunch, exec, NULL);
    MUST0(hipDeviceSynchronize);
    ASK(hipGraphExecDestroy, exec);
    ASK(hipGraphLaunch, NULL, NULL);
    ASK(hipGraphExecDestroy, NULL);
}

QUESTION(instantiated_with_bad_flags, "hipGraphInstantiateWithFlags") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    ASK(hipGraphInstantiateWithFlags, &exec, graph, 0x100);
    ASK(hipGraphInstantiateWithFlags, NULL, graph, 0);
    ASK(hipGraphInstantiateWithFlags, &exec, NULL, 0);
    MUST(hipGraphDestroy, graph);
}

QUESTION(empty_graphs, "hipGraphInstantiateWithFlags") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    ASK(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphLaunch, exec, NULL);
    MUST0(hipDeviceSynchronize);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
}

QUESTION(instantiated_with_parameters, "hipGraphInstantiateWithParams") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    hipGraphInstantiateParams params;
    memset(&params, 0, sizeof params);
    params.flags = hipGraphInstantiateFlagAutoFreeOnLaunch;
    add_empty(graph, NULL);
    ASK(hipGraphInstantiateWithParams, &exec, graph, &params);
    SAY("result", params.result_out);
    MUST(hipGraphExecDestroy, exec);
    params.flags = 0x100;
    ASK(hipGraphInstantiateWithParams, &exec, graph, &params);
    SAY("result", params.result_out);
    MUST(hipGraphDestroy, graph);
}

QUESTION(destroyed_while_it_runs, "hipGraphExecDestroy") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    hipStream_t stream = make_stream();
    int gate;
    add_empty(graph, NULL);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, 0);
    close_gate(stream, &gate);
    ASK(hipGraphLaunch, exec, stream);
    ASK(hipGraphExecDestroy, exec);
    open_gate(&gate);
    ASK(hipStreamSynchronize, stream);
    MUST(hipGraphDestroy, graph);
    MUST(hipStreamDestroy, stream);
}

QUESTION(updates_of_the_same_shape, "hipGraphExecUpdate") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    hipGraphExecUpdateResult result = (hipGraphExecUpdateResult)77;
    hipGraphNode_t failed = NULL;
    add_empty(graph, NULL);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphExecUpdate, exec, graph, &failed, &result);
    SAY("result", result);
    add_empty(graph, NULL);
    ASK(hipGraphExecUpdate, exec, graph, &failed, &result);
    SAY("result", result);
    ASK(hipGraphExecUpdate, exec, graph, NULL, NULL);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
}

QUESTION(updates_of_another_type, "hipGraphExecUpdate") {
    hipGraph_t one = make_graph(), other = make_graph();
    hipGraphExec_t exec = NULL;
    hipGraphExecUpdateResult result = (hipGraphExecUpdateResult)77;
    hipGraphNode_t failed = NULL;
    uintptr_t ptr = make_memory(64);
    hipMemsetParams fill = fill_of(ptr, 64);
    hipGraphNode_t node = NULL;
    add_empty(one, NULL);
    MUST(hipGraphAddMemsetNode, &node, other, NULL, 0, &fill);
    MUST(hipGraphInstantiateWithFlags, &exec, one, 0);
    ASK(hipGraphExecUpdate, exec, other, &failed, &result);
    SAY("result", result);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, one);
    MUST(hipGraphDestroy, other);
    MUST(hipFree, pointer(ptr));
}

QUESTION(fills, "hipGraphAddMemsetNode") {
    hipGraph_t graph = make_graph();
    uintptr_t ptr = make_memory(4096);
    hipMemsetParams fill = fill_of(ptr, 64), got = {0};
    hipGraphNode_t node = NULL;
    hipGraphExec_t exec = NULL;
    unsigned char byte = 0;
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    ASK(hipGraphMemsetNodeGetParams, node, &got);
    SAY("width", got.width);
    SAY("value", got.value);
    SAY("size", got.elementSize);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, 0);
    fill.value = 9;
    ASK(hipGraphExecMemsetNodeSetParams, exec, node, &fill);
    ASK(hipGraphLaunch, exec, NULL);
    MUST0(hipDeviceSynchronize);
    MUST(hipMemcpyDtoH, &byte, pointer(ptr), 1);
    SAY("byte", byte);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
    MUST(hipFree, pointer(ptr));
}

QUESTION(bad_fills, "hipGraphAddMemsetNode") {
    hipGraph_t graph = make_graph();
    uintptr_t ptr = make_memory(4096);
    hipMemsetParams fill = fill_of(ptr, 64);
    hipGraphNode_t node = NULL;
    fill.elementSize = 3;
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    fill = fill_of(0, 64);
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    fill = fill_of(ptr, 0);
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    fill = fill_of(ptr, 64 * MIB);
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    fill = fill_of(ptr + 1, 4);
    fill.elementSize = 4;
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    fill = fill_of(ptr, 64);
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    ASK(hipGraphAddMemsetNode, &node, graph, NULL, 0, NULL);
    MUST(hipGraphDestroy, graph);
    MUST(hipFree, pointer(ptr));
}

static void add_one(void *value) { (*(int *)value)++; }

QUESTION(functions, "hipGraphAddHostNode") {
    hipGraph_t graph = make_graph();
    hipGraphNode_t node = NULL;
    hipGraphExec_t exec = NULL;
    int value = 0;
    unsigned enabled = 77;
    hipHostNodeParams call;
    memset(&call, 0, sizeof call);
    ASK(hipGraphAddHostNode, &node, graph, NULL, 0, &call);
    call.fn = add_one;
    call.userData = &value;
    ASK(hipGraphAddHostNode, &node, graph, NULL, 0, &call);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphNodeGetEnabled, exec, node, &enabled);
    ASK(hipGraphNodeSetEnabled, exec, node, 0);
    for (int i = 0; i < 2; i++) MUST(hipGraphLaunch, exec, NULL);
    MUST0(hipDeviceSynchronize);
    SAY("value", value);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
}

QUESTION(disabled_nodes, "hipGraphNodeSetEnabled") {
    hipGraph_t graph = make_graph();
    uintptr_t ptr = make_memory(64);
    hipMemsetParams fill = fill_of(ptr, 64);
    hipGraphNode_t node = NULL, empty = add_empty(graph, NULL);
    hipGraphExec_t exec = NULL;
    unsigned enabled = 77;
    unsigned char byte = 0;
    MUST(hipMemsetD8, pointer(ptr), 1, 64);
    MUST(hipGraphAddMemsetNode, &node, graph, NULL, 0, &fill);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphNodeSetEnabled, exec, node, 0);
    ASK(hipGraphNodeGetEnabled, exec, node, &enabled);
    SAY("enabled", enabled);
    ASK(hipGraphNodeSetEnabled, exec, empty, 0);
    MUST(hipGraphLaunch, exec, NULL);
    MUST0(hipDeviceSynchronize);
    MUST(hipMemcpyDtoH, &byte, pointer(ptr), 1);
    SAY("byte", byte);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
    MUST(hipFree, pointer(ptr));
}

QUESTION(events, "hipGraphAddEventRecordNode") {
    hipGraph_t graph = make_graph();
    hipEvent_t event = make_event(0), got = NULL;
    hipGraphNode_t record = NULL, wait = NULL;
    hipGraphExec_t exec = NULL;
    ASK(hipGraphAddEventRecordNode, &record, graph, NULL, 0, event);
    ASK(hipGraphAddEventWaitNode, &wait, graph, &record, 1, event);
    ASK(hipGraphEventRecordNodeGetEvent, record, &got);
    SAY("same", got == event);
    ASK(hipGraphAddEventRecordNode, &record, graph, NULL, 0, NULL);
    ASK(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphLaunch, exec, NULL);
    MUST0(hipDeviceSynchronize);
    ASK(hipEventQuery, event);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
    MUST(hipEventDestroy, event);
}

QUESTION(children, "hipGraphAddChildGraphNode") {
    hipGraph_t graph = make_graph(), child = make_graph(), copy = NULL;
    hipGraphNode_t node = NULL;
    size_t count = 77;
    add_empty(child, NULL);
    ASK(hipGraphAddChildGraphNode, &node, graph, NULL, 0, child);
    ASK(hipGraphChildGraphNodeGetGraph, node, &copy);
    SAY("new", copy != child);
    ASK(hipGraphGetNodes, copy, NULL, &count);
    SAY("count", count);
    ASK(hipGraphAddChildGraphNode, &node, graph, NULL, 0, graph);
    ASK(hipGraphAddChildGraphNode, &node, graph, NULL, 0, NULL);
    MUST(hipGraphDestroy, graph);
    MUST(hipGraphDestroy, child);
}

static hipMemAllocNodeParams alloc_of(size_t bytes) {
    hipMemAllocNodeParams alloc;
    memset(&alloc, 0, sizeof alloc);
    alloc.poolProps.allocType = hipMemAllocationTypePinned;
    alloc.poolProps.location.type = hipMemLocationTypeDevice;
    alloc.bytesize = bytes;
    return alloc;
}

QUESTION(memory_nodes, "hipGraphAddMemAllocNode") {
    hipGraph_t graph = make_graph(), clone = NULL;
    hipMemAllocNodeParams alloc = alloc_of(4096), got = alloc_of(0);
    hipGraphNode_t first = NULL, last = NULL, more = NULL;
    uintptr_t freed = 0;
    ASK(hipGraphAddMemAllocNode, &first, graph, NULL, 0, &alloc);
    SAY("has_address", alloc.dptr != NULL);
    ASK(hipGraphMemAllocNodeGetParams, first, &got);
    SAY("same", got.dptr == alloc.dptr);
    SAY("bytes", got.bytesize);
    ASK(hipGraphAddMemFreeNode, &last, graph, &first, 1, alloc.dptr);
    ASK(hipGraphMemFreeNodeGetParams, last, &freed);
    SAY("same", pointer(freed) == alloc.dptr);
    ASK(hipGraphAddMemFreeNode, &more, graph, &first, 1, alloc.dptr);
    ASK(hipGraphClone, &clone, graph);
    ASK(hipGraphDestroyNode, last);
    ASK(hipGraphRemoveDependencies, graph, &first, &last, 1);
    MUST(hipGraphDestroy, graph);
}

QUESTION(two_instances_of_memory_nodes, "graph memory nodes: one instance at a time") {
    hipGraph_t graph = make_graph();
    hipMemAllocNodeParams alloc = alloc_of(4096);
    hipGraphNode_t first = NULL, last = NULL;
    hipGraphExec_t exec = NULL, other = NULL;
    MUST(hipGraphAddMemAllocNode, &first, graph, NULL, 0, &alloc);
    MUST(hipGraphAddMemFreeNode, &last, graph, &first, 1, alloc.dptr);
    ASK(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphInstantiateWithFlags, &other, graph, 0);
    if (other != NULL) MUST(hipGraphExecDestroy, other);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
}

QUESTION(bad_memory_nodes, "hipGraphAddMemAllocNode") {
    hipGraph_t graph = make_graph();
    hipMemAllocNodeParams alloc = alloc_of(0);
    hipGraphNode_t node = NULL;
    uintptr_t plain = make_memory(64);
    ASK(hipGraphAddMemAllocNode, &node, graph, NULL, 0, &alloc);
    alloc = alloc_of(4096);
    alloc.poolProps.location.id = 99;
    ASK(hipGraphAddMemAllocNode, &node, graph, NULL, 0, &alloc);
    alloc = alloc_of(4096);
    alloc.poolProps.handleTypes = (hipMemAllocationHandleType)1;
    ASK(hipGraphAddMemAllocNode, &node, graph, NULL, 0, &alloc);
    ASK(hipGraphAddMemFreeNode, &node, graph, NULL, 0, pointer(plain));
    ASK(hipGraphAddMemFreeNode, &node, graph, NULL, 0, NULL);
    MUST(hipGraphDestroy, graph);
    MUST(hipFree, pointer(plain));
}

QUESTION(user_objects, "hipUserObjectCreate") {
    hipGraph_t graph = make_graph();
    hipUserObject_t object = NULL;
    int calls = 0;
    ASK(hipUserObjectCreate, &object, &calls, add_one, 1, hipUserObjectNoDestructorSync);
    ASK(hipUserObjectRetain, object, 2);
    ASK(hipGraphRetainUserObject, graph, object, 1, 0);
    ASK(hipUserObjectRelease, object, 3);
    SAY("calls", calls);
    ASK(hipGraphReleaseUserObject, graph, object, 1);
    MUST0(hipDeviceSynchronize);
    for (int i = 0; i < 1000 && __atomic_load_n(&calls, __ATOMIC_ACQUIRE) == 0; i++)
        CALL(hipStreamQuery, NULL);
    MUST(hipGraphDestroy, graph);
}

QUESTION(bad_user_objects, "hipUserObjectCreate") {
    hipUserObject_t object = NULL;
    int calls = 0;
    ASK(hipUserObjectCreate, &object, &calls, add_one, 0, hipUserObjectNoDestructorSync);
    ASK(hipUserObjectCreate, &object, &calls, add_one, 1, 0);
    ASK(hipUserObjectCreate, &object, &calls, NULL, 1, hipUserObjectNoDestructorSync);
    ASK(hipUserObjectCreate, NULL, &calls, add_one, 1, hipUserObjectNoDestructorSync);
    ASK(hipUserObjectRetain, NULL, 1);
}

QUESTION(launched_on_special_streams, "hipGraphLaunch") {
    hipGraph_t graph = make_graph();
    hipGraphExec_t exec = NULL;
    add_empty(graph, NULL);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, 0);
    ASK(hipGraphLaunch, exec, NULL);
    ASK(hipGraphLaunch, exec, hipStreamLegacy);
    ASK(hipGraphLaunch, exec, hipStreamPerThread);
    MUST0(hipDeviceSynchronize);
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
}

QUESTION(launched_in_a_capture, "hipGraphLaunch") {
    hipGraph_t graph = make_graph(), outer = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t node = NULL;
    hipGraphNodeType type = (hipGraphNodeType)77;
    hipStream_t stream = make_stream();
    size_t count = 1;
    add_empty(graph, NULL);
    MUST(hipGraphInstantiateWithFlags, &exec, graph, 0);
    MUST(hipStreamBeginCapture, stream, hipStreamCaptureModeGlobal);
    ASK(hipGraphLaunch, exec, stream);
    ASK(hipStreamEndCapture, stream, &outer);
    if (outer != NULL) {
        MUST(hipGraphGetNodes, outer, &node, &count);
        SAY("count", count);
        if (count == 1) MUST(hipGraphNodeGetType, node, &type);
        SAY("type", type);
        MUST(hipGraphDestroy, outer);
    }
    MUST(hipGraphExecDestroy, exec);
    MUST(hipGraphDestroy, graph);
    MUST(hipStreamDestroy, stream);
}
