// SPDX-License-Identifier: Apache-2.0
// See node.h. The file has no state of its own.
#include "compat/runtime/graph/node.h"

#include <stdlib.h>

#include "compat/runtime/graph/graph.h"
#include "compat/runtime/graph/policy.h"

// ---- addition

static tn_rt_error run_empty(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    (void)op;
    (void)where;
    return TN_RT_OK;
}

tn_rt_error tn_rt_read_empty(const void *unused, struct tn_rt_op *op) {
    (void)unused;
    *op = (struct tn_rt_op){.work = TN_RT_WORK_EMPTY, .run = run_empty};
    return TN_RT_OK;
}

// Called under the lock. A node without a handle is of no use to the program, so it is removed.
static tn_rt_error insert_op(struct tn_rt_graph *graph, const struct tn_rt_spot *spot,
                             const struct tn_rt_op *op, const uint32_t *before, void **handle) {
    struct tn_face_device *device = graph->plan->device; // that of captured nodes, if any
    uint32_t id;
    TN_RT_TRY(tn_rt_graph_check_op(graph, op));
    TN_RT_TRY(tn_rt_plan_add(graph->plan, device != NULL ? device : graph->device, op, true, before,
                             (uint32_t)spot->count, &id));
    tn_rt_error error = tn_rt_graph_node_handle(graph, id, handle);
    struct tn_rt_plan_node *node = tn_rt_plan_find(graph->plan, id);
    node->dropped = true; // a capture does not wait for it
    if (error != TN_RT_OK) {
        node->op.drop = NULL; // the caller still owns what it points to
        tn_rt_plan_node_free(tn_rt_plan_remove(graph->plan, id));
    }
    return error;
}

static tn_rt_error add_op(struct tn_rt_graph *graph, const struct tn_rt_spot *spot,
                          const struct tn_rt_op *op, void **handle) {
    uint32_t *before = NULL;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    tn_rt_error error = tn_rt_graph_node_ids(graph, (void *const *)spot->before, spot->count,
                                             graph->plan->count, &before);
    if (error == TN_RT_OK) error = insert_op(graph, spot, op, before, handle);
    free(before);
    return error;
}

tn_rt_error tn_rt_node_add(const struct tn_rt_spot *spot, tn_rt_node_reader read,
                           const void *params) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    struct tn_rt_op op;
    void *handle = NULL;
    TN_RT_REFUSE(spot->node == NULL || params == NULL || (spot->before == NULL && spot->count > 0),
                 TN_RT_INVALID_VALUE, "node %p, parameters %p, %zu dependencies at %p", spot->node,
                 params, spot->count, spot->before);
    TN_RT_TRY(tn_rt_graph_get(spot->graph, false, &graph));
    TN_RT_TRY(read(params, &op));
    tn_rt_error error = add_op(graph, spot, &op, &handle);
    if (error == TN_RT_OK)
        tn_rt_give(spot->node, (uintptr_t)handle);
    else
        tn_rt_op_drop(&op);
    return error;
}

// ---- removal, and edges

// Called under the lock. The node loses its handle, whose reference the caller drops.
static tn_rt_error take_node(const struct tn_rt_graph_node *name, struct tn_rt_plan_node **node) {
    struct tn_rt_graph *graph = name->graph;
    TN_RT_TRY(tn_rt_graph_node_find(name, node));
    TN_RT_REFUSE(tn_rt_op_is_memory(&(*node)->op), TN_RT_NOT_SUPPORTED,
                 "node %u allocates or frees memory", name->id);
    TN_RT_REFUSE(graph->capturing, TN_RT_ILLEGAL_STATE,
                 "the capture of the graph of node %u has not ended", name->id);
    (void)tn_rt_plan_remove(graph->plan, name->id);
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_remove(void *handle) {
    struct tn_rt_plan_node *node = NULL;
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(handle, &name));
    {
        TN_FACE_LOCKED(&tn_rt_plan_lock);
        TN_RT_TRY(take_node(name, &node));
    }
    (void)tn_face_handle_end((uintptr_t)handle, TN_RT_GRAPH_NODE);
    tn_rt_plan_node_free(node);
    return TN_RT_OK;
}

// Changes edges under the lock. No graph has more edges than pairs of nodes.
static tn_rt_error change_edges(struct tn_rt_graph *graph, const void *from, const void *to,
                                size_t count,
                                tn_rt_error (*change)(struct tn_rt_plan *, const uint32_t *,
                                                      const uint32_t *, size_t)) {
    uint32_t *first = NULL;
    uint32_t *second = NULL;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    uint64_t limit = (uint64_t)graph->plan->count * graph->plan->count;
    tn_rt_error error = tn_rt_graph_node_ids(graph, (void *const *)from, count, limit, &first);
    if (error == TN_RT_OK)
        error = tn_rt_graph_node_ids(graph, (void *const *)to, count, limit, &second);
    bool fixed = change == tn_rt_plan_unlink_all && tn_rt_graph_policy.memory_nodes_are_fixed;
    for (size_t i = 0; error == TN_RT_OK && fixed && i < count; i++)
        if (tn_rt_op_is_memory(&tn_rt_plan_find(graph->plan, first[i])->op) ||
            tn_rt_op_is_memory(&tn_rt_plan_find(graph->plan, second[i])->op))
            error = tn_rt_fail(TN_RT_NOT_SUPPORTED, "edges of memory nodes stay");
    if (error == TN_RT_OK) error = change(graph->plan, first, second, count);
    free(first);
    free(second);
    return error;
}

tn_rt_error tn_rt_node_link(void *handle, const void *from, const void *to, size_t count,
                            bool remove) {
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(handle, false, &graph));
    TN_RT_REFUSE(count > 0 && (from == NULL || to == NULL), TN_RT_INVALID_VALUE,
                 "%zu edges from %p to %p", count, from, to);
    return change_edges(graph, from, to, count,
                        remove ? tn_rt_plan_unlink_all : tn_rt_plan_link_all);
}

// ---- parameters

static tn_rt_error exchange_op(const struct tn_rt_graph_node *name, enum tn_rt_work work,
                               struct tn_rt_op *op) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(node, tn_rt_graph_node_find_as(name, work, &node));
    if (op == NULL) return TN_RT_OK;
    if (work == TN_RT_WORK_KERNEL) op->launch.cooperative = node->op.launch.cooperative;
    struct tn_rt_op before = node->op;
    node->op = *op;
    *op = before;
    return TN_RT_OK;
}

tn_rt_error tn_rt_node_set(void *handle, enum tn_rt_work work, tn_rt_node_reader read,
                           const void *params) {
    struct tn_rt_op op;
    TN_RT_TRY(tn_rt_check_pointer(params, "the parameters"));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(handle, &name));
    TN_RT_TRY(exchange_op(name, work, NULL)); // the kind comes before the parameters
    TN_RT_TRY(read(params, &op));
    tn_rt_error error = exchange_op(name, work, &op);
    tn_rt_op_drop(&op); // that of before, or the refused one
    return error;
}

tn_rt_error tn_rt_node_params(void *handle, enum tn_rt_work work, tn_rt_node_writer write,
                              void *params) {
    TN_RT_TRY(tn_rt_check_pointer(params, "the parameters"));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(handle, &name));
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(node, tn_rt_graph_node_find_as(name, work, &node));
    return write(&node->op, params);
}
