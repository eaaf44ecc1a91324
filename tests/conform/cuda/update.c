// SPDX-License-Identifier: Apache-2.0
// Changes of executable graphs: of single nodes, and by another graph.
#include "begin.h"

#define TN_GROUP "update"

static void do_nothing(void *data) { (void)data; }

static const CUDA_HOST_NODE_PARAMS call = {do_nothing, NULL};

static CUgraph make_graph(void) {
    CUgraph graph = NULL;
    MUST(cuGraphCreate, &graph, 0);
    return graph;
}

static CUgraphNode add_call(CUgraph graph, const CUgraphNode *after) {
    CUgraphNode node = NULL;
    MUST(cuGraphAddHostNode, &node, graph, after, after != NULL, &call);
    return node;
}

static CUgraphExec make_exec(CUgraph graph) {
    CUgraphExec exec = NULL;
    MUST(cuGraphInstantiateWithFlags, &exec, graph, 0);
    return exec;
}

static void ask_update(CUgraphExec exec, CUgraph graph) {
    CUgraphExecUpdateResultInfo info;
    memset(&info, 0, sizeof info);
    ASK(cuGraphExecUpdate, exec, graph, &info);
    SAY("result", info.result);
    SAY("node", info.errorNode != NULL);
    SAY("from", info.errorFromNode != NULL);
}

static void end(CUgraphExec exec, CUgraph one, CUgraph other) {
    MUST(cuGraphExecDestroy, exec);
    MUST(cuGraphDestroy, one);
    MUST(cuGraphDestroy, other);
}

QUESTION(by_more_and_fewer_nodes, "cuGraphExecUpdate: the number of nodes") {
    CUgraph one = make_graph(), other = make_graph();
    add_call(one, NULL);
    CUgraphExec exec = make_exec(one);
    ask_update(exec, other);
    CUgraphNode first = add_call(other, NULL);
    ask_update(exec, other);
    add_call(other, &first);
    ask_update(exec, other);
    end(exec, one, other);
}

QUESTION(by_other_edges, "cuGraphExecUpdate: the dependencies") {
    CUgraph one = make_graph(), other = make_graph();
    CUgraphNode first = add_call(one, NULL), node = NULL;
    add_call(one, &first);
    CUgraphExec exec = make_exec(one);
    node = add_call(other, NULL);
    CUgraphNode second = add_call(other, NULL);
    ask_update(exec, other);
    MUST(cuGraphAddDependencies, other, &second, &node, NULL, 1);
    ask_update(exec, other);
    end(exec, one, other);
}

QUESTION(by_nothing, "cuGraphExecUpdate") {
    CUgraph one = make_graph(), other = make_graph();
    CUgraphExecUpdateResultInfo info;
    CUgraphExec exec = make_exec(one);
    ASK(cuGraphExecUpdate, exec, NULL, &info);
    ASK(cuGraphExecUpdate, NULL, other, &info);
    ASK(cuGraphExecUpdate, exec, other, NULL);
    ask_update(exec, one);
    end(exec, one, other);
}

QUESTION(of_calls, "cuGraphExecHostNodeSetParams") {
    CUgraph graph = make_graph(), other = make_graph();
    CUgraphNode node = add_call(graph, NULL), foreign = add_call(other, NULL), empty = NULL;
    CUDA_HOST_NODE_PARAMS none = {NULL, NULL};
    MUST(cuGraphAddEmptyNode, &empty, graph, NULL, 0);
    CUgraphExec exec = make_exec(graph);
    ASK(cuGraphExecHostNodeSetParams, exec, node, &call);
    ASK(cuGraphExecHostNodeSetParams, exec, node, &none);
    ASK(cuGraphExecHostNodeSetParams, exec, node, NULL);
    ASK(cuGraphExecHostNodeSetParams, exec, foreign, &call);
    ASK(cuGraphExecHostNodeSetParams, exec, empty, &call);
    ASK(cuGraphExecHostNodeSetParams, NULL, node, &call);
    MUST(cuGraphDestroyNode, node);
    ASK(cuGraphExecHostNodeSetParams, exec, node, &call);
    end(exec, graph, other);
}

QUESTION(of_events, "cuGraphExecEventRecordNodeSetEvent, cuGraphExecEventWaitNodeSetEvent") {
    CUgraph graph = make_graph(), other = make_graph();
    CUevent event = make_event(0), untimed = make_event(CU_EVENT_DISABLE_TIMING);
    CUgraphNode record = NULL, wait = NULL;
    MUST(cuGraphAddEventRecordNode, &record, graph, NULL, 0, event);
    MUST(cuGraphAddEventWaitNode, &wait, graph, &record, 1, event);
    CUgraphExec exec = make_exec(graph);
    ASK(cuGraphExecEventRecordNodeSetEvent, exec, record, untimed);
    ASK(cuGraphExecEventRecordNodeSetEvent, exec, record, NULL);
    ASK(cuGraphExecEventRecordNodeSetEvent, exec, wait, event);
    ASK(cuGraphExecEventWaitNodeSetEvent, exec, wait, untimed);
    ASK(cuGraphExecEventWaitNodeSetEvent, exec, record, event);
    ASK(cuGraphExecEventWaitNodeSetEvent, exec, wait, NULL);
    end(exec, graph, other);
    MUST(cuEventDestroy, untimed);
    MUST(cuEventDestroy, event);
}

QUESTION(of_children, "cuGraphExecChildGraphNodeSetParams: the topology of the child") {
    CUgraph graph = make_graph(), child = make_graph(), other = make_graph();
    CUgraphNode node = NULL, first = add_call(child, NULL);
    MUST(cuGraphAddChildGraphNode, &node, graph, NULL, 0, child);
    CUgraphExec exec = make_exec(graph);
    ASK(cuGraphExecChildGraphNodeSetParams, exec, node, child);
    ASK(cuGraphExecChildGraphNodeSetParams, exec, node, other);
    ASK(cuGraphExecChildGraphNodeSetParams, exec, node, NULL);
    ASK(cuGraphExecChildGraphNodeSetParams, exec, first, child);
    MUST(cuGraphDestroy, child);
    end(exec, graph, other);
}

QUESTION(by_parameters_of_another_type, "cuGraphExecNodeSetParams, cuGraphNodeSetParams") {
    CUgraph graph = make_graph(), other = make_graph();
    CUgraphNode node = add_call(graph, NULL);
    CUgraphNodeParams params;
    CUgraphExec exec = make_exec(graph);
    memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_HOST;
    params.host.fn = do_nothing;
    ASK(cuGraphNodeSetParams, node, &params);
    ASK(cuGraphExecNodeSetParams, exec, node, &params);
    params.type = CU_GRAPH_NODE_TYPE_EMPTY;
    ASK(cuGraphNodeSetParams, node, &params);
    ASK(cuGraphExecNodeSetParams, exec, node, &params);
    params.type = (CUgraphNodeType)99;
    ASK(cuGraphExecNodeSetParams, exec, node, &params);
    ASK(cuGraphExecNodeSetParams, exec, node, NULL);
    end(exec, graph, other);
}

QUESTION(switched_nodes, "cuGraphNodeSetEnabled: kernels, fills and copies") {
    CUgraph graph = make_graph(), other = make_graph();
    CUgraphNode node = add_call(graph, NULL);
    CUgraphExec exec = make_exec(graph);
    unsigned enabled = 7;
    ASK(cuGraphNodeSetEnabled, exec, node, 0);
    ASK(cuGraphNodeGetEnabled, exec, node, &enabled);
    SAY("enabled", enabled);
    end(exec, graph, other);
}
