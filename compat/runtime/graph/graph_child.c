// SPDX-License-Identifier: Apache-2.0
// See graph.h: nodes that are copies of graphs. The copy has a handle once the program has asked
// for it. In an executable graph such a node runs an executable graph of its own, whose branches
// begin and end with the node.
#include "compat/runtime/graph/graph.h"
#include "compat/runtime/graph/node.h"
#include "compat/runtime/graph/policy.h"

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
    void *own;
    memcpy(&own, handle, sizeof own);
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(own, true, &graph));
    TN_RT_TRY(tn_rt_graph_check_moved(graph));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(tn_rt_graph_policy.children_have_no_memory && tn_rt_graph_has_memory(graph),
                 TN_RT_NOT_SUPPORTED, "graph %p has memory, so that a node cannot copy it", own);
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
    uintptr_t graph;
    unsigned work = 0;
    memcpy(&graph, handle, sizeof graph);
    TN_RT_TRY(tn_rt_graph_node_work(node, &work));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(node, &name));
    TN_RT_REFUSE(work == TN_RT_WORK_GRAPH && graph == name->graph->object.handle, TN_RT_UNKNOWN,
                 "graph 0x%lx cannot become its own child", (unsigned long)graph);
    return tn_rt_node_set(node, TN_RT_WORK_GRAPH, tn_rt_read_child, handle);
}

// ---- graphs that nodes take

// Returns true if the graphs are the same, or a node of the first has the second. Called under the lock.
static bool contains_graph(const struct tn_rt_graph *graph, const struct tn_rt_graph *other) {
    bool has = graph == other;
    const struct tn_rt_plan_node *node = tn_rt_plan_next(graph->plan, 0);
    for (; node != NULL && !has; node = tn_rt_plan_next(graph->plan, node->id + 1))
        has = node->op.work == TN_RT_WORK_GRAPH && node->op.run == NULL &&
              contains_graph(node->op.child, other);
    return has;
}

static tn_rt_error claim_graph(struct tn_rt_graph *graph, const struct tn_rt_graph *parent) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(graph->child || graph->moved || contains_graph(graph, parent), TN_RT_INVALID_VALUE,
                 "graph 0x%lx is of a node, or contains the graph of the node",
                 (unsigned long)graph->object.handle);
    graph->moved = true;
    return TN_RT_OK;
}

static void settle_claim(struct tn_rt_graph *graph, bool taken) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    graph->moved = taken;
    graph->child = taken;
}

// The node has the handle's reference. One that could not be added has none.
static void drop_moved(struct tn_rt_op *op) {
    if (op->child->child) drop_child(op);
}

static tn_rt_error read_moved(const void *graph, struct tn_rt_op *op) {
    *op = (struct tn_rt_op){.work = TN_RT_WORK_GRAPH,
                            .keep = keep_child,
                            .drop = drop_moved,
                            .child = (struct tn_rt_graph *)(uintptr_t)graph};
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_add_moved(const struct tn_rt_spot *spot, const void *handle) {
    void *own;
    memcpy(&own, handle, sizeof own);
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(own, true, &graph));
    TN_RT_GET(tn_rt_graph, parent, tn_rt_graph_get(spot->graph, false, &parent));
    TN_RT_TRY(claim_graph(graph, parent));
    tn_rt_error error = tn_rt_node_add(spot, read_moved, graph);
    settle_claim(graph, error == TN_RT_OK);
    return error;
}
