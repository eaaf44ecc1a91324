// SPDX-License-Identifier: Apache-2.0
// See graph.h: nodes that are copies of graphs. The copy has a handle once the program has asked
// for it. In an executable graph such a node runs an executable graph of its own, whose branches
// begin and end with the node.
#include "compat/runtime/graph.h"
#include "compat/runtime/node.h"

// Called under tn_rt_plan_lock.
static tn_rt_error copy_graph(struct tn_rt_graph *graph, struct tn_rt_graph **copy) {
    struct tn_rt_plan *plan = NULL;
    struct tn_rt_graph *fresh = NULL;
    TN_RT_TRY(tn_rt_plan_copy(graph->plan, &plan));
    TN_RT_TRY(tn_rt_graph_new_child(plan, &fresh));
    fresh->child = true;
    fresh->device = graph->device;
    tn_rt_error error = tn_rt_users_copy(&fresh->users, &graph->users);
    if (error == TN_RT_OK)
        *copy = fresh;
    else
        tn_face_object_put(&fresh->object);
    return error;
}

static tn_rt_error keep_child(struct tn_rt_op *op) { return copy_graph(op->child, &op->child); }

// A copy that has no handle yet is known to nobody else, so that no lock is needed.
static void drop_child(struct tn_rt_op *op) {
    if (op->child->object.handle != 0)
        tn_rt_graph_close(op->child);
    else
        tn_face_object_put(&op->child->object);
}

tn_rt_error tn_rt_read_child(const void *handle, struct tn_rt_op *op) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    void *own;
    memcpy(&own, handle, sizeof own);
    TN_RT_TRY(tn_rt_graph_get(own, true, &graph));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    *op = (struct tn_rt_op){
        .work = TN_RT_WORK_GRAPH, .keep = keep_child, .drop = drop_child, .child = graph};
    return keep_child(op);
}

tn_rt_error tn_rt_write_child(const struct tn_rt_op *op, void *graph) {
    TN_RT_REFUSE(op->run != NULL, TN_RT_INVALID_VALUE,
                 "the node is the launch of an executable graph, not a copy of a graph");
    if (op->child->object.handle == 0) TN_RT_TRY(tn_rt_graph_give_handle(op->child));
    tn_rt_give(graph, op->child->object.handle);
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_set_child(void *node, const void *handle) {
    struct tn_rt_graph_node TN_FACE_HELD *name = NULL;
    uintptr_t graph;
    unsigned work = 0;
    memcpy(&graph, handle, sizeof graph);
    TN_RT_TRY(tn_rt_graph_node_work(node, &work));
    TN_RT_TRY(tn_rt_graph_node_get(node, &name));
    TN_RT_REFUSE(work == TN_RT_WORK_GRAPH && graph == name->graph->object.handle, TN_RT_UNKNOWN,
                 "graph 0x%lx cannot become its own child", (unsigned long)graph);
    return tn_rt_node_set(node, TN_RT_WORK_GRAPH, tn_rt_read_child, handle);
}
