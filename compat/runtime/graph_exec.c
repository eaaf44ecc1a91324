// SPDX-License-Identifier: Apache-2.0
// Executable graphs. Each has a plan of its own, the order of its nodes, and an event at the end of its last launch. A launch is a
// piece of work like any other, so a graph that is launched into a capturing stream becomes a node
// there. Each executable graph has its own lock, which orders its launches.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compat/runtime/graph.h"
#include "compat/runtime/graph_memory.h"

struct graph_exec {
    struct tn_face_object object;
    struct tn_rt_plan *plan;
    uint32_t *order;              // of the nodes of the plan
    pthread_mutex_t lock;         // one launch at a time
    tarn_event last;              // the end of the last launch
    bool launched;                // at least once
    bool auto_free;               // a launch frees memory of the one before
    struct tn_rt_user_list users; // its references to user objects
};

static void destroy_exec(struct tn_face_object *object) {
    struct graph_exec *exec = (struct graph_exec *)object;
    if (exec->users.count > 0 && exec->launched)
        (void)tarn_event_synchronize(exec->last, TARN_FOREVER); // the work may use the objects
    (void)tarn_event_destroy(exec->last);
    tn_rt_users_drop(&exec->users);
    (void)pthread_mutex_destroy(&exec->lock);
    tn_rt_plan_free(exec->plan);
    free(exec->order);
    free(exec);
}

static tn_rt_error no_exec(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not an executable graph", handle);
}

// Makes an executable graph that owns `plan`, which is freed on failure.
static tn_rt_error make_exec(struct tn_rt_plan *plan, const struct tn_rt_user_list *users,
                             bool auto_free, uintptr_t *handle) {
    struct graph_exec *exec = (struct graph_exec *)calloc(1, sizeof *exec);
    if (exec == NULL) {
        tn_rt_plan_free(plan);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for an executable graph");
    }
    (void)pthread_mutex_init(&exec->lock, NULL);
    exec->plan = plan;
    exec->auto_free = auto_free;
    exec->order = (uint32_t *)malloc(((size_t)plan->count + 1) * sizeof *exec->order);
    tn_rt_error error = exec->order != NULL ? tn_rt_plan_sort(plan, exec->order)
                                            : tn_rt_fail(TN_RT_OUT_OF_MEMORY,
                                                         "no host memory for an executable graph");
    if (error == TN_RT_OK)
        error = tn_rt_from(tarn_event_create(tn_rt_current()->tarn, &exec->last));
    if (error == TN_RT_OK) error = tn_rt_users_copy(&exec->users, users);
    if (error == TN_RT_OK && !tn_face_handle_new(&exec->object, TN_RT_GRAPH_EXEC, destroy_exec))
        error = tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a graph's handle");
    if (error != TN_RT_OK) {
        destroy_exec(&exec->object);
        return error;
    }
    *handle = exec->object.handle;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_instantiate(void *graph_handle, bool auto_free, uintptr_t *handle) {
    struct tn_rt_graph *graph = NULL;
    struct tn_rt_plan *plan = NULL;
    TN_RT_TRY(tn_rt_graph_get(graph_handle, true, &graph));
    tn_rt_plan_lock();
    tn_rt_error error =
        graph->plan->instantiated
            ? tn_rt_fail(TN_RT_NOT_SUPPORTED, "a graph with memory is instantiated once only")
            : tn_rt_plan_copy(graph->plan, &plan);
    if (error == TN_RT_OK) graph->plan->instantiated = plan->memory_count > 0;
    tn_rt_plan_unlock();
    if (error == TN_RT_OK) {
        error = make_exec(plan, &graph->users, auto_free, handle);
        tn_rt_plan_lock();
        if (error != TN_RT_OK) graph->plan->instantiated = false;
        tn_rt_plan_unlock();
    }
    tn_face_object_put(&graph->object);
    return error;
}

tn_rt_error tn_rt_graph_exec_end(void *handle) {
    return tn_face_handle_end((uintptr_t)handle, TN_RT_GRAPH_EXEC) ? TN_RT_OK : no_exec(handle);
}

// ---- launch

static struct graph_exec *exec_of(const void *payload) {
    struct graph_exec *exec;
    memcpy(&exec, payload, sizeof exec);
    return exec;
}

static tn_rt_error run_nodes(const struct graph_exec *exec, const struct tn_rt_where *where) {
    const struct tn_face_device *device = exec->plan->device;
    TN_RT_REFUSE(device != NULL && device != where->device, TN_RT_NOT_SUPPORTED,
                 "a graph of device %d cannot run on a stream of device %d", device->ordinal,
                 where->device->ordinal);
    tn_rt_error error = TN_RT_OK;
    for (uint32_t i = 0; i < exec->plan->count && error == TN_RT_OK; i++) {
        const struct tn_rt_op *op = &tn_rt_plan_find(exec->plan, exec->order[i])->op;
        error = op->run(op->payload, where);
    }
    return error;
}

static tn_rt_error run_after_last(struct graph_exec *exec, const struct tn_rt_where *where) {
    TN_RT_TRY(tn_rt_graph_memory_begin(exec->plan, exec->auto_free));
    tn_rt_error error =
        exec->launched ? tn_rt_from(tarn_stream_wait(where->stream, exec->last)) : TN_RT_OK;
    if (error == TN_RT_OK) error = run_nodes(exec, where);
    tn_rt_error recorded = tn_rt_from(tarn_event_record(exec->last, where->stream));
    exec->launched = exec->launched || recorded == TN_RT_OK;
    return error != TN_RT_OK ? error : recorded;
}

static tn_rt_error run_exec(const void *payload, const struct tn_rt_where *where) {
    struct graph_exec *exec = exec_of(payload);
    (void)pthread_mutex_lock(&exec->lock);
    tn_rt_error error = run_after_last(exec, where);
    (void)pthread_mutex_unlock(&exec->lock);
    return error;
}

static tn_rt_error keep_exec(void *payload) {
    tn_face_object_keep(&exec_of(payload)->object);
    return TN_RT_OK;
}

static void drop_exec(void *payload) { tn_face_object_put(&exec_of(payload)->object); }

tn_rt_error tn_rt_graph_launch(void *handle, void *stream) {
    struct tn_rt_op op = {
        .work = TN_RT_WORK_GRAPH, .run = run_exec, .keep = keep_exec, .drop = drop_exec};
    struct graph_exec *exec =
        (struct graph_exec *)tn_face_handle_get((uintptr_t)handle, TN_RT_GRAPH_EXEC);
    if (exec == NULL) return no_exec(handle);
    memcpy(op.payload, &exec, sizeof exec); // the pointer
    tn_rt_error error = tn_rt_submit(stream, &op);
    tn_face_object_put(&exec->object);
    return error;
}
