// SPDX-License-Identifier: Apache-2.0
// See graph_exec.h: changes of executable graphs. A launch submits its work, so it is not affected by a change
// that comes after it. The plan is changed under the lock of the executable graph.
#include "compat/runtime/graph_exec.h"

// ---- nodes

// Finds the executable graph and the node in it. The caller drops the reference to the first also
// after an error, if it is not NULL.
static tn_rt_error find_pair(void *exec_handle, void *node_handle, struct tn_rt_graph_exec **exec,
                             struct tn_rt_plan_node **node) {
    struct tn_rt_graph_node TN_FACE_HELD *name = NULL;
    TN_RT_TRY(tn_rt_graph_exec_get(exec_handle, exec));
    TN_RT_TRY(tn_rt_graph_node_get(node_handle, &name));
    *node = tn_rt_plan_find((*exec)->plan, name->id);
    TN_RT_REFUSE(name->graph->object.handle != (*exec)->graph || *node == NULL, TN_RT_INVALID_VALUE,
                 "node %p is not of the graph of %p", node_handle, exec_handle);
    return TN_RT_OK;
}

// ---- enabling

static tn_rt_error find_switch(void *exec_handle, void *node_handle, struct tn_rt_graph_exec **exec,
                               struct tn_rt_plan_node **node) {
    TN_RT_TRY(find_pair(exec_handle, node_handle, exec, node));
    enum tn_rt_work work = (*node)->op.work;
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
    struct tn_rt_plan_node *node = NULL;
    TN_RT_TRY(tn_rt_check_pointer(enabled, "isEnabled"));
    TN_RT_TRY(find_switch(exec_handle, node_handle, &exec, &node));
    TN_FACE_LOCKED(&exec->lock);
    *enabled = node->enabled;
    return TN_RT_OK;
}
