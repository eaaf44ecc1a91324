// SPDX-License-Identifier: Apache-2.0
// See node_any.h. The file has no state.
#include "compat/runtime/exec/node_any.h"

#include "compat/runtime/copy/box.h"
#include "compat/runtime/copy/fill.h"
#include "compat/runtime/exec/graph_exec.h"
#include "compat/runtime/kernel/host_function.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/stream/event.h"

enum { SEMAPHORE_SIGNAL = 8, SEMAPHORE_WAIT = 9 };

static tn_rt_node_reader reader_of(const struct tn_rt_any_node *node) {
    static const tn_rt_node_reader readers[] = {
        [TN_RT_WORK_COPY] = tn_rt_read_3d,         [TN_RT_WORK_FILL] = tn_rt_read_fill,
        [TN_RT_WORK_HOST] = tn_rt_read_function,   [TN_RT_WORK_GRAPH] = tn_rt_read_child,
        [TN_RT_WORK_EVENT_WAIT] = tn_rt_read_wait, [TN_RT_WORK_EVENT_RECORD] = tn_rt_read_record,
    };
    if (node->read != NULL) return node->read;
    return node->kind < sizeof readers / sizeof *readers ? readers[node->kind] : NULL;
}

static bool is_memory(unsigned kind) {
    return kind == TN_RT_WORK_MEMORY_ALLOC || kind == TN_RT_WORK_MEMORY_FREE;
}

static tn_rt_error refuse_any(unsigned kind, bool set) {
    bool named = kind == SEMAPHORE_SIGNAL || kind == SEMAPHORE_WAIT || (set && is_memory(kind));
    return tn_rt_fail(named ? TN_RT_NOT_SUPPORTED : TN_RT_INVALID_VALUE,
                      "a node of kind %u cannot be %s by this function", kind,
                      set ? "set" : "added");
}

tn_rt_error tn_rt_any_add(const struct tn_rt_spot *spot, const struct tn_rt_any_node *node) {
    if (node == NULL || spot->node == NULL || spot->graph == NULL)
        return tn_rt_node_add(spot, tn_rt_read_empty, NULL);
    if (node->kind == TN_RT_WORK_MEMORY_ALLOC)
        return tn_rt_node_add_alloc(spot, (struct tn_rt_alloc_params *)node->params);
    if (node->kind == TN_RT_WORK_MEMORY_FREE)
        return tn_rt_node_add_free(spot, *(void *const *)node->params);
    tn_rt_node_reader read = reader_of(node);
    return read != NULL ? tn_rt_node_add(spot, read, node->params) : refuse_any(node->kind, false);
}

tn_rt_error tn_rt_any_set(void *handle, const struct tn_rt_any_node *node) {
    unsigned unused;
    TN_RT_TRY(tn_rt_check_pointer(node, "nodeParams"));
    TN_RT_TRY(tn_rt_graph_node_work(handle, &unused));
    tn_rt_node_reader read = reader_of(node);
    if (read == NULL) return refuse_any(node->kind, true);
    return node->kind == TN_RT_WORK_GRAPH
               ? tn_rt_node_set_child(handle, node->params)
               : tn_rt_node_set(handle, (enum tn_rt_work)node->kind, read, node->params);
}

tn_rt_error tn_rt_any_change(void *exec, void *handle, const struct tn_rt_any_node *node) {
    TN_RT_TRY(tn_rt_check_pointer(node, "nodeParams"));
    TN_RT_TRY(tn_rt_graph_exec_check(exec, handle));
    tn_rt_node_reader read = reader_of(node);
    if (read == NULL) return refuse_any(node->kind, true);
    return tn_rt_graph_exec_set(exec, handle, (enum tn_rt_work)node->kind, read, node->params);
}
