// SPDX-License-Identifier: Apache-2.0
// See graph.h: lists of the nodes and edges of graphs. A capture may be adding nodes meanwhile, so
// every list is made under tn_rt_plan_lock.
#include <stdlib.h>

#include "compat/runtime/graph/graph.h"

// The lists of a program, filled up to their capacity, or only counted if the first is NULL.
struct list {
    struct tn_rt_graph *graph;
    void **of[2]; // the second only for edges
    size_t capacity;
    size_t count;
};

static tn_rt_error list_add(struct list *list, uint32_t first, uint32_t second) {
    size_t at = list->count++;
    if (list->of[0] == NULL || at >= list->capacity) return TN_RT_OK;
    TN_RT_TRY(tn_rt_graph_node_handle(list->graph, first, &list->of[0][at]));
    return list->of[1] != NULL ? tn_rt_graph_node_handle(list->graph, second, &list->of[1][at])
                               : TN_RT_OK;
}

static void list_finish(struct list *list, size_t *num) {
    for (size_t i = list->count; list->of[0] != NULL && i < list->capacity; i++) {
        list->of[0][i] = NULL;
        if (list->of[1] != NULL) list->of[1][i] = NULL;
    }
    *num = list->of[0] == NULL || list->count < list->capacity ? list->count : list->capacity;
}

// Lists something of a graph, with the lists and *num of the program.
static tn_rt_error make_list(void *handle, void *first, void *second, size_t *num,
                             tn_rt_error (*fill)(struct list *list)) {
    TN_RT_TRY(tn_rt_check_pointer(num, "the number"));
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(handle, false, &graph));
    struct list list = {graph, {(void **)first, (void **)second}, *num, 0};
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_TRY(fill(&list));
    list_finish(&list, num);
    return TN_RT_OK;
}

static tn_rt_error fill_nodes(struct list *list) {
    const struct tn_rt_plan *plan = list->graph->plan;
    uint32_t *order = (uint32_t *)malloc(((size_t)plan->count + 1) * sizeof *order);
    TN_RT_REFUSE(order == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a list of %u nodes",
                 plan->count);
    tn_rt_error error = tn_rt_plan_sort(plan, order);
    for (uint32_t i = 0; i < plan->count && error == TN_RT_OK; i++)
        error = list_add(list, order[i], 0);
    free(order);
    return error;
}

static tn_rt_error fill_roots(struct list *list) {
    const struct tn_rt_plan_node *node = tn_rt_plan_next(list->graph->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(list->graph->plan, node->id + 1))
        if (node->before.count == 0) TN_RT_TRY(list_add(list, node->id, 0));
    return TN_RT_OK;
}

static tn_rt_error fill_edges(struct list *list) {
    const struct tn_rt_plan_node *node = tn_rt_plan_next(list->graph->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(list->graph->plan, node->id + 1))
        for (uint32_t i = 0; i < node->after.count; i++)
            TN_RT_TRY(list_add(list, node->id, node->after.of[i]));
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_list_nodes(void *handle, void *nodes, size_t *num) {
    return make_list(handle, nodes, NULL, num, fill_nodes);
}

tn_rt_error tn_rt_graph_list_roots(void *handle, void *nodes, size_t *num) {
    return make_list(handle, nodes, NULL, num, fill_roots);
}

tn_rt_error tn_rt_graph_list_edges(void *handle, void *from, void *to, size_t *num) {
    TN_RT_REFUSE((from == NULL) != (to == NULL), TN_RT_INVALID_VALUE, "%s is NULL",
                 from == NULL ? "from" : "to");
    return make_list(handle, from, to, num, fill_edges);
}

// ---- of a node

static tn_rt_error list_beside(void *handle, bool after, void *nodes, size_t *num) {
    TN_RT_TRY(tn_rt_check_pointer(num, "the number"));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(handle, &name));
    struct list list = {name->graph, {(void **)nodes, NULL}, *num, 0};
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_FIND_NODE(node, tn_rt_graph_node_find(name, &node));
    const struct tn_rt_ids *ids = after ? &node->after : &node->before;
    for (uint32_t i = 0; i < ids->count; i++) TN_RT_TRY(list_add(&list, ids->of[i], 0));
    list_finish(&list, num);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_list_before(void *node, void *nodes, size_t *num) {
    return list_beside(node, false, nodes, num);
}

tn_rt_error tn_rt_graph_list_after(void *node, void *nodes, size_t *num) {
    return list_beside(node, true, nodes, num);
}
