// SPDX-License-Identifier: Apache-2.0
// See graph_exec.h: how executable graphs are made, and end.
#include "compat/runtime/exec/graph_exec.h"

#include <stdio.h>
#include <stdlib.h>

#include "compat/runtime/exec/policy.h"
#include "compat/runtime/memory/block.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/stream/stream.h"

struct tn_rt_exec_policy tn_rt_exec_policy;

// ---- life

static void free_exec(struct tn_rt_graph_exec *exec) {
    tn_rt_lanes_end(exec);
    tn_rt_users_drop(&exec->users);
    tn_rt_schedule_free(&exec->schedule);
    free(exec->memories);
    tn_rt_plan_free(exec->plan);
    (void)pthread_mutex_destroy(&exec->lock);
    free(exec);
}

// References to user objects that outlive their executable graph, because launches run.
struct leftover {
    _Atomic(uint32_t) launches; // and one for the thread that makes it
    struct tn_rt_user_list users;
};

static void put_leftover(struct leftover *leftover) {
    if (atomic_fetch_sub(&leftover->launches, 1) != 1) return;
    tn_rt_users_drop(&leftover->users);
    free(leftover);
}

// A condition, because those are called even if a failure has stopped their stream.
static tarn_status launch_has_ended(void *leftover, bool dropped) {
    (void)dropped;
    put_leftover((struct leftover *)leftover);
    return TARN_OK;
}

// Lets user objects end behind the launch in a lane. Waits for it if there is no other way.
static void leave_users(const struct tn_rt_lane *lane, struct leftover *leftover) {
    (void)atomic_fetch_add(&leftover->launches, 1);
    if (tarn_stream_wait_until(lane->stream, launch_has_ended, leftover) == TARN_OK) return;
    (void)tarn_event_synchronize(lane->last, TARN_FOREVER);
    put_leftover(leftover);
}

// Takes back that a graph was instantiated.
static void let_instantiate(struct tn_rt_graph *graph) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    graph->plan->instantiated = false;
}

// A graph with memory may have an executable graph again when the last one has ended.
static void come_back(const struct tn_rt_graph_exec *exec) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    if (exec->memory_count == 0 || !tn_rt_exec_policy.memory_graphs_come_back) return;
    graph = (struct tn_rt_graph *)tn_face_handle_get(exec->graph, TN_RT_GRAPH);
    if (graph != NULL) let_instantiate(graph);
}

static void destroy_exec(struct tn_face_object *object) {
    struct tn_rt_graph_exec *exec = (struct tn_rt_graph_exec *)object;
    come_back(exec);
    struct leftover *leftover =
        exec->users.count > 0 ? (struct leftover *)calloc(1, sizeof *leftover) : NULL;
    if (leftover != NULL) {
        *leftover = (struct leftover){1, exec->users};
        exec->users = (struct tn_rt_user_list){NULL, 0};
    }
    for (const struct tn_rt_lane *lane = exec->lanes; lane != NULL; lane = lane->next) {
        if (leftover != NULL && tn_rt_lane_is_busy(lane)) leave_users(lane, leftover);
        if (exec->users.count > 0) (void)tarn_event_synchronize(lane->last, TARN_FOREVER);
    }
    if (leftover != NULL) put_leftover(leftover);
    free_exec(exec);
}

static tn_rt_error no_memory(void) {
    return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for an executable graph");
}

// Copies the plan of a graph. One that allocates or frees memory is copied once only.
static tn_rt_error take_plan(struct tn_rt_graph *graph, struct tn_rt_plan **plan) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(graph->plan->instantiated, TN_RT_NOT_SUPPORTED,
                 "a graph with memory is instantiated once only");
    TN_RT_TRY(tn_rt_plan_copy(graph->plan, plan));
    graph->plan->instantiated = tn_rt_graph_has_memory(graph);
    return TN_RT_OK;
}

static tn_rt_error make_exec(struct tn_rt_graph *graph, unsigned long long flags,
                             struct tn_rt_graph_exec **exec);

tn_rt_error tn_rt_graph_exec_open(struct tn_rt_op *op) {
    struct tn_rt_graph_exec *exec = NULL;
    if (op->run != NULL) return TN_RT_OK;
    TN_RT_TRY(make_exec(op->child, 0, &exec));
    op->drop(op);
    *op = tn_rt_graph_exec_op(exec);
    return TN_RT_OK;
}

static const struct tn_rt_graph_exec *child_of(const struct tn_rt_plan_node *node) {
    bool is_child = node->op.work == TN_RT_WORK_GRAPH && node->op.exec->object.handle == 0;
    return is_child ? node->op.exec : NULL;
}

static tn_rt_error list_memories(struct tn_rt_graph_exec *exec) {
    const struct tn_rt_schedule *schedule = &exec->schedule;
    size_t count = tn_rt_graph_memory_list(exec->plan, NULL);
    for (uint32_t i = 0; i < schedule->count; i++) {
        const struct tn_rt_graph_exec *child = child_of(schedule->steps[i].node);
        count += child != NULL ? child->memory_count : 0;
    }
    if (count == 0) return TN_RT_OK;
    exec->memories =
        (struct tn_rt_graph_memory **)malloc(count * sizeof(struct tn_rt_graph_memory *));
    if (exec->memories == NULL) return no_memory();
    exec->memory_count = tn_rt_graph_memory_list(exec->plan, exec->memories);
    for (uint32_t i = 0; i < schedule->count; i++) {
        const struct tn_rt_graph_exec *child = child_of(schedule->steps[i].node);
        for (uint32_t j = 0; child != NULL && j < child->memory_count; j++)
            exec->memories[exec->memory_count++] = child->memories[j];
    }
    return TN_RT_OK;
}

// ---- classes of memory

enum { ARRAY = 1 << 30 }; // a kind beside the kinds of block.h

// The kinds of memory that are of one kind to a copy.
static unsigned kind_of(unsigned kind) {
    const unsigned host = TN_RT_BLOCK_HOST | TN_RT_BLOCK_REGISTERED;
    return (kind & host) != 0                  ? TN_RT_BLOCK_HOST
           : (kind & TN_RT_BLOCK_MANAGED) != 0 ? TN_RT_BLOCK_MANAGED
                                               : TN_RT_BLOCK_DEVICE;
}

static struct tn_rt_memory_class class_at(const void *ptr) {
    struct tn_rt_block block;
    if (!tn_rt_block_query(ptr, &block)) return (struct tn_rt_memory_class){TN_RT_BLOCK_HOST, NULL};
    unsigned kind = kind_of(block.kind);
    return (struct tn_rt_memory_class){kind, kind == TN_RT_BLOCK_DEVICE ? block.device : NULL};
}

struct tn_rt_memory_class tn_rt_memory_class_of(const struct tn_rt_op *op, unsigned side) {
    if (op->work == TN_RT_WORK_FILL && side == 0)
        return class_at((const void *)(uintptr_t)op->fill.dst);
    if (op->work != TN_RT_WORK_COPY) return (struct tn_rt_memory_class){0, NULL};
    if (op->copy.array[side] != NULL)
        return (struct tn_rt_memory_class){ARRAY, op->copy.array[side]};
    return class_at((const void *)(uintptr_t)op->copy.linear[side]);
}

static void classify_memory(struct tn_rt_plan_node *node) {
    for (unsigned side = 0; side < 2 && tn_rt_exec_policy.changes_keep_memory; side++)
        node->memory[side] = tn_rt_memory_class_of(&node->op, side);
}

// ---- making one

static tn_rt_error fill_exec(struct tn_rt_graph_exec *exec, struct tn_rt_graph *graph) {
    TN_RT_TRY(take_plan(graph, &exec->plan));
    TN_RT_TRY(tn_rt_schedule_make(exec->plan, &exec->schedule));
    struct tn_rt_plan_node *node = tn_rt_plan_next(exec->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(exec->plan, node->id + 1)) {
        TN_RT_TRY(tn_rt_graph_exec_open(&node->op));
        classify_memory(node);
    }
    TN_RT_TRY(list_memories(exec));
    TN_RT_TRY(tn_rt_lane_new(exec));
    return tn_rt_users_copy(&exec->users, &graph->users);
}

// Makes an executable graph without a handle.
static tn_rt_error make_exec(struct tn_rt_graph *graph, unsigned long long flags,
                             struct tn_rt_graph_exec **exec) {
    struct tn_rt_graph_exec *fresh = (struct tn_rt_graph_exec *)calloc(1, sizeof *fresh);
    if (fresh == NULL) return no_memory();
    tn_face_object_begin(&fresh->object, destroy_exec);
    (void)pthread_mutex_init(&fresh->lock, NULL);
    fresh->graph = graph->object.handle;
    fresh->flags = flags;
    tn_rt_error error = fill_exec(fresh, graph);
    if (error == TN_RT_OK) {
        *exec = fresh;
        return TN_RT_OK;
    }
    if (fresh->plan != NULL) let_instantiate(graph);
    free_exec(fresh);
    return error;
}

// ---- instantiation

static tn_rt_error check_arguments(const void *exec, const void *graph) {
    return exec != NULL && graph != NULL
               ? TN_RT_OK
               : tn_rt_not_last_error(tn_rt_fail(TN_RT_INVALID_VALUE, "%s is NULL",
                                                 exec == NULL ? "pGraphExec" : "graph"));
}

static tn_rt_error instantiate(void *out, void *handle, unsigned long long flags) {
    struct tn_rt_graph_exec *exec = NULL;
    TN_RT_GET(tn_rt_graph, graph, tn_rt_graph_get(handle, true, &graph));
    TN_RT_TRY(tn_rt_graph_check_moved(graph));
    TN_RT_TRY(make_exec(graph, flags, &exec));
    if (!tn_face_handle_new(&exec->object, TN_RT_GRAPH_EXEC, destroy_exec)) {
        let_instantiate(graph);
        free_exec(exec);
        return no_memory();
    }
    tn_rt_give(out, exec->object.handle);
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_instantiate(void *exec, void *graph, unsigned long long flags) {
    TN_RT_TRY(check_arguments(exec, graph));
    TN_RT_REFUSE(flags != 0 && flags != TN_RT_INSTANTIATE_AUTO_FREE &&
                     flags != TN_RT_INSTANTIATE_PRIORITY,
                 TN_RT_INVALID_VALUE, "flags 0x%llx, 0, 1 and 8 are defined", flags);
    return instantiate(exec, graph, flags);
}

tn_rt_error tn_rt_graph_instantiate_log(void *exec, void *graph, const void *unused_node, char *log,
                                        size_t bytes) {
    (void)unused_node;
    TN_RT_TRY(check_arguments(exec, graph));
    tn_rt_error error = instantiate(exec, graph, 0);
    if (error != TN_RT_OK && log != NULL) (void)snprintf(log, bytes, "%s", tn_rt_text());
    return error;
}

static tn_rt_error instantiate_with(void *exec, void *graph,
                                    const struct tn_rt_instantiation *parameters) {
    unsigned long long flags = parameters->flags;
    TN_RT_REFUSE(flags > TN_RT_INSTANTIATE_PRIORITY || (flags & (flags - 1)) != 0,
                 TN_RT_INVALID_VALUE, "flags 0x%llx, 0, 1, 2, 4 and 8 are defined", flags);
    TN_RT_REFUSE(flags == TN_RT_INSTANTIATE_DEVICE_LAUNCH, TN_RT_NOT_SUPPORTED,
                 "graphs cannot be launched by device code");
    if (flags == TN_RT_INSTANTIATE_UPLOAD) TN_RT_TRY(tn_rt_stream_check(parameters->upload_stream));
    return instantiate(exec, graph, flags);
}

tn_rt_error tn_rt_graph_instantiate_with(void *exec, void *graph,
                                         const struct tn_rt_instantiation *parameters) {
    TN_RT_TRY(check_arguments(exec, graph));
    TN_RT_TRY(tn_rt_check_pointer(parameters, "the parameters"));
    tn_rt_error error = instantiate_with(exec, graph, parameters);
    *parameters->result = error != TN_RT_OK ? 1 : 0;
    if (error == TN_RT_OK) tn_rt_give(parameters->error_node, 0);
    return error;
}

// ---- handles

tn_rt_error tn_rt_graph_exec_flags(void *handle, void *flags) {
    TN_RT_TRY(tn_rt_check_pointer(flags, "flags"));
    TN_RT_GET(tn_rt_graph_exec, exec, tn_rt_graph_exec_get(handle, &exec));
    *(unsigned long long *)flags = exec->flags;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_exec_end(void *handle) {
    return tn_face_handle_end((uintptr_t)handle, TN_RT_GRAPH_EXEC)
               ? TN_RT_OK
               : tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not an executable graph", handle);
}
