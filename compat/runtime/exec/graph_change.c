// SPDX-License-Identifier: Apache-2.0
// See graph_exec.h: changes of executable graphs. A launch submits its work, so a change that comes
// after it does not affect it. Nodes are read and changed under the lock of the executable graph.
#include "compat/runtime/exec/graph_exec.h"

#include <stdlib.h>
#include <string.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/exec/policy.h"
#include "compat/runtime/memory/block.h"

// ---- nodes

// Finds the executable graph, the node in it and the kind of that, which never changes. The caller
// drops the reference to the first also after an error, if it is not NULL.
static tn_rt_error find_pair(void *exec_handle, void *node_handle, struct tn_rt_graph_exec **exec,
                             struct tn_rt_plan_node **node, enum tn_rt_work *work) {
    TN_RT_TRY(tn_rt_graph_exec_get(exec_handle, exec));
    TN_RT_GET(tn_rt_graph_node, name, tn_rt_graph_node_get(node_handle, &name));
    *node = tn_rt_plan_find((*exec)->plan, name->id);
    TN_RT_REFUSE(name->graph->object.handle != (*exec)->graph || *node == NULL, TN_RT_INVALID_VALUE,
                 "node %p is not of the graph of %p", node_handle, exec_handle);
    TN_FACE_LOCKED(&(*exec)->lock);
    *work = (*node)->op.work;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_exec_check(void *exec_handle, void *node_handle) {
    struct tn_rt_graph_exec TN_FACE_HELD *exec = NULL;
    struct tn_rt_plan_node *node = NULL;
    enum tn_rt_work work;
    return find_pair(exec_handle, node_handle, &exec, &node, &work);
}

// ---- enabling

static tn_rt_error find_switch(void *exec_handle, void *node_handle, struct tn_rt_graph_exec **exec,
                               struct tn_rt_plan_node **node) {
    enum tn_rt_work work;
    TN_RT_TRY(find_pair(exec_handle, node_handle, exec, node, &work));
    TN_RT_REFUSE(work != TN_RT_WORK_KERNEL && work != TN_RT_WORK_COPY && work != TN_RT_WORK_FILL,
                 TN_RT_INVALID_VALUE, "a node of kind %d is always enabled", (int)work);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_exec_set_enabled(void *exec_handle, void *node_handle, unsigned enabled) {
    struct tn_rt_graph_exec TN_FACE_HELD *exec = NULL;
    struct tn_rt_plan_node *node = NULL;
    TN_RT_TRY(find_switch(exec_handle, node_handle, &exec, &node));
    TN_FACE_LOCKED(&exec->lock);
    node->enabled = enabled;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_exec_enabled(void *exec_handle, void *node_handle, unsigned *enabled) {
    struct tn_rt_graph_exec TN_FACE_HELD *exec = NULL;
    TN_RT_TRY(tn_rt_check_pointer(enabled, "isEnabled"));
    struct tn_rt_plan_node *node = NULL;
    TN_RT_TRY(find_switch(exec_handle, node_handle, &exec, &node));
    TN_FACE_LOCKED(&exec->lock);
    *enabled = node->enabled;
    return TN_RT_OK;
}

// ---- parameters

static uint64_t height_of(const tarn_fill_desc *fill) {
    return fill->height > 1 ? fill->height : 1;
}

static bool fits_fill(const tarn_fill_desc *old, const tarn_fill_desc *fill) {
    if (!tn_rt_exec_policy.changes_keep_memory)
        return height_of(fill) == 1 ||
               (height_of(fill) == height_of(old) &&
                fill->width * fill->element_bytes == old->width * old->element_bytes);
    return height_of(fill) == height_of(old) &&
           (height_of(old) == 1 || (fill->width == old->width && fill->pitch == old->pitch &&
                                    fill->element_bytes == old->element_bytes));
}

static bool keeps_memory(const struct tn_rt_plan_node *node, const struct tn_rt_op *after) {
    bool keeps = true;
    for (unsigned side = 0; side < 2 && tn_rt_exec_policy.changes_keep_memory; side++) {
        const struct tn_rt_memory_class class = tn_rt_memory_class_of(after, side);
        keeps = keeps && class.kind == node->memory[side].kind &&
                class.device == node->memory[side].device;
    }
    return keeps;
}

// Returns true if a copy or fill may take the place of that of a node.
static bool may_replace(const struct tn_rt_plan_node *node, const struct tn_rt_op *after) {
    const struct tn_rt_op *before = &node->op;
    if (after->work == TN_RT_WORK_COPY)
        return after->copy.kind == before->copy.kind && keeps_memory(node, after);
    return after->work != TN_RT_WORK_FILL ||
           (fits_fill(&before->fill, &after->fill) && keeps_memory(node, after));
}

static bool is_box(const struct tn_rt_copy *copy) {
    return (copy->form == TN_RT_COPY_BOX && (copy->box.height > 1 || copy->box.depth > 1)) ||
           (copy->form == TN_RT_COPY_ARRAY_BOX &&
            (copy->array_box.height > 1 || copy->array_box.depth > 1));
}

static const struct tn_face_device *owner_of(const tarn_fill_desc *fill) {
    struct tn_rt_block block;
    return tn_rt_block_query((const void *)(uintptr_t)fill->dst, &block) ? block.device : NULL;
}

// Updates change boxes, too.
static bool may_set(const struct tn_rt_op *before, const struct tn_rt_op *after) {
    if (tn_rt_exec_policy.changes_keep_memory)
        return after->work != TN_RT_WORK_COPY || (!is_box(&before->copy) && !is_box(&after->copy));
    return after->work != TN_RT_WORK_FILL || owner_of(&before->fill) == owner_of(&after->fill);
}

static enum tn_rt_update compare_work(const struct tn_rt_op *before, const struct tn_rt_op *after);

// Compares the executable graphs of two child graphs: the number and the kinds of their nodes, and
// their memory. No other thread knows the second one.
static enum tn_rt_update compare_children(const struct tn_rt_op *before,
                                          const struct tn_rt_op *after) {
    const struct tn_rt_schedule *a = &before->exec->schedule;
    const struct tn_rt_schedule *b = &after->exec->schedule;
    enum tn_rt_update result = TN_RT_UPDATE_SUCCESS;
    if (a->count != b->count) return TN_RT_UPDATE_TOPOLOGY;
    TN_FACE_LOCKED(&before->exec->lock);
    for (uint32_t i = 0; i < a->count && result == TN_RT_UPDATE_SUCCESS; i++)
        result = compare_work(&a->steps[i].node->op, &b->steps[i].node->op);
    return result;
}

static enum tn_rt_update compare_work(const struct tn_rt_op *before, const struct tn_rt_op *after) {
    if (before->work != after->work) return TN_RT_UPDATE_KIND;
    TN_FACE_DIFFERS(update_child, after->work == TN_RT_WORK_GRAPH);
    if (after->work == TN_RT_WORK_GRAPH) return compare_children(before, after);
    return tn_rt_op_is_memory(after) && before->memory != after->memory ? TN_RT_UPDATE_NOT_SUPPORTED
                                                                        : TN_RT_UPDATE_SUCCESS;
}

static tn_rt_error check_change(const struct tn_rt_plan_node *node, const struct tn_rt_op *after) {
    const struct tn_rt_op *before = &node->op;
    if (after->work == TN_RT_WORK_GRAPH)
        return compare_children(before, after) == TN_RT_UPDATE_SUCCESS
                   ? TN_RT_OK
                   : tn_rt_not_last_error(
                         tn_rt_fail(TN_RT_UNKNOWN, "the child graph has other nodes"));
    TN_RT_REFUSE(!may_replace(node, after) || !may_set(before, after), TN_RT_INVALID_VALUE,
                 "a node of kind %d keeps its %s", (int)after->work,
                 after->work == TN_RT_WORK_COPY ? "direction, dimensions and memory"
                                                : "rows and device");
    return TN_RT_OK;
}

// Reads parameters. Those of copies and fills fail with one code, unless a variable is unknown.
static tn_rt_error read_change(enum tn_rt_work work, tn_rt_node_reader read, const void *params,
                               struct tn_rt_op *op) {
    tn_rt_error error = read(params, op);
    if (work != TN_RT_WORK_COPY && work != TN_RT_WORK_FILL) return error;
    bool kept = error == TN_RT_OK || error == TN_RT_OUT_OF_MEMORY || error == TN_RT_INVALID_SYMBOL;
    return kept ? error : TN_RT_INVALID_VALUE;
}

static void exchange_ops(struct tn_rt_op *a, struct tn_rt_op *b) {
    struct tn_rt_op before = *a;
    *a = *b;
    *b = before;
}

static tn_rt_error change_node(struct tn_rt_graph_exec *exec, struct tn_rt_plan_node *node,
                               struct tn_rt_op *op) {
    TN_FACE_LOCKED(&exec->lock);
    TN_RT_TRY(check_change(node, op));
    exchange_ops(&node->op, op);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_exec_set(void *exec_handle, void *node_handle, enum tn_rt_work work,
                                 tn_rt_node_reader read, const void *params) {
    struct tn_rt_graph_exec TN_FACE_HELD *exec = NULL;
    struct tn_rt_plan_node *node = NULL;
    struct tn_rt_op op;
    enum tn_rt_work kind;
    TN_RT_TRY(tn_rt_check_pointer(params, "the parameters"));
    TN_RT_TRY(find_pair(exec_handle, node_handle, &exec, &node, &kind));
    TN_RT_REFUSE(kind != work, TN_RT_INVALID_VALUE, "node %u is of kind %d, not %d", node->id,
                 (int)kind, (int)work);
    TN_RT_REFUSE(work == TN_RT_WORK_GRAPH && memcmp(params, &exec->graph, sizeof exec->graph) == 0,
                 TN_RT_UNKNOWN, "a graph cannot be its own child");
    TN_RT_TRY(read_change(work, read, params, &op));
    tn_rt_error error = tn_rt_graph_exec_open(&op);
    if (error == TN_RT_OK) error = change_node(exec, node, &op);
    tn_rt_op_drop(&op); // that of before, or the refused one
    return error;
}

// ---- update

struct update {
    struct tn_rt_graph_exec *exec;
    struct tn_rt_plan *plan; // a copy of the graph's
    uint32_t *order;         // of its nodes
    uint32_t at;             // the pair that does not fit, or the number of pairs
    enum tn_rt_update result;
};

static enum tn_rt_update compare_pair(const struct update *update, uint32_t at) {
    const struct tn_rt_plan_node *mine = update->exec->schedule.steps[at].node;
    const struct tn_rt_plan_node *other = tn_rt_plan_find(update->plan, update->order[at]);
    enum tn_rt_work work = other->op.work;
    bool anywhere = work == TN_RT_WORK_HOST || work == TN_RT_WORK_EMPTY;
    if (mine->op.work != work) return TN_RT_UPDATE_KIND;
    if (update->plan->device != update->exec->plan->device && !anywhere)
        return TN_RT_UPDATE_UNSUPPORTED_FUNCTION;
    if (!may_replace(mine, &other->op)) return TN_RT_UPDATE_PARAMETERS;
    if (mine->before.count != other->before.count) return TN_RT_UPDATE_TOPOLOGY;
    return compare_work(&mine->op, &other->op);
}

// Finds the order of the nodes. INVALID_VALUE: a cycle, also in a child graph.
static tn_rt_error sort_update(const struct update *update) {
    TN_RT_TRY(tn_rt_plan_sort(update->plan, update->order));
    struct tn_rt_plan_node *node = tn_rt_plan_next(update->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(update->plan, node->id + 1))
        TN_RT_TRY(tn_rt_graph_exec_open(&node->op));
    return TN_RT_OK;
}

// Compares the plans, and exchanges the work of all pairs if they fit.
static tn_rt_error apply_update(struct update *update) {
    const struct tn_rt_schedule *schedule = &update->exec->schedule;
    update->at = schedule->count;
    update->result = TN_RT_UPDATE_TOPOLOGY;
    if (update->plan->count != schedule->count) return TN_RT_OK;
    tn_rt_error error = sort_update(update);
    if (error != TN_RT_OK) return error == TN_RT_INVALID_VALUE ? TN_RT_OK : error;
    TN_FACE_LOCKED(&update->exec->lock);
    update->result = TN_RT_UPDATE_SUCCESS;
    for (uint32_t at = 0; at < schedule->count && update->result == TN_RT_UPDATE_SUCCESS; at++) {
        update->result = compare_pair(update, at);
        if (update->result != TN_RT_UPDATE_SUCCESS) update->at = at;
    }
    for (uint32_t at = 0; at < schedule->count && update->result == TN_RT_UPDATE_SUCCESS; at++)
        exchange_ops(&tn_rt_plan_find(update->exec->plan, schedule->steps[at].node->id)->op,
                     &tn_rt_plan_find(update->plan, update->order[at])->op);
    return TN_RT_OK;
}

static tn_rt_error refuse_update(const struct update *update, struct tn_rt_graph *graph,
                                 void *node) {
    void *handle = NULL;
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    if (update->at < update->exec->schedule.count &&
        tn_rt_plan_find(graph->plan, update->order[update->at]) != NULL)
        TN_RT_TRY(tn_rt_graph_node_handle(graph, update->order[update->at], &handle));
    tn_rt_give(node, (uintptr_t)handle);
    tn_rt_error error =
        tn_rt_fail(TN_RT_UPDATE_FAILED, "the graph does not fit: result %d, node %p",
                   (int)update->result, handle);
    return update->result == TN_RT_UPDATE_UNSUPPORTED_FUNCTION ? tn_rt_not_last_error(error)
                                                               : error;
}

static tn_rt_error open_update(struct update *update, struct tn_rt_graph *graph) {
    TN_RT_TRY(tn_rt_graph_copy_plan(graph, true, &update->plan));
    update->order = (uint32_t *)malloc(((size_t)update->plan->count + 1) * sizeof *update->order);
    return update->order != NULL ? TN_RT_OK
                                 : tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for an update");
}

tn_rt_error tn_rt_graph_exec_update(void *exec_handle, void *graph_handle, void *node,
                                    unsigned *result) {
    TN_RT_REFUSE(node == NULL || result == NULL, TN_RT_INVALID_VALUE, "%s is NULL",
                 node == NULL ? "the error node" : "the result");
    TN_RT_GET(tn_rt_graph_exec, exec, tn_rt_graph_exec_get(exec_handle, &exec));
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(graph_handle, true, &graph));
    TN_RT_TRY(tn_rt_graph_check_moved(graph));
    struct update update = {.exec = exec};
    tn_rt_error error = open_update(&update, graph);
    if (error == TN_RT_OK) error = apply_update(&update);
    if (error == TN_RT_OK && update.result != TN_RT_UPDATE_SUCCESS)
        error = refuse_update(&update, graph, node);
    if (error == TN_RT_OK || error == TN_RT_UPDATE_FAILED) *result = update.result;
    free(update.order);
    tn_rt_plan_free(update.plan);
    return error;
}
