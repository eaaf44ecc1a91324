// SPDX-License-Identifier: Apache-2.0
// Executable graphs. Each has a plan and an event at the end of its last launch. A launch is a
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
    tn_rt_plan_put(exec->plan);
    free(exec);
}

static tn_rt_error no_exec(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not an executable graph", handle);
}

static tn_rt_error make_exec(const struct tn_rt_graph *graph, bool auto_free, uintptr_t *handle) {
    struct graph_exec *exec = (struct graph_exec *)calloc(1, sizeof *exec);
    if (exec == NULL)
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for an executable graph");
    tn_rt_error error = tn_rt_from(tarn_event_create(tn_rt_current()->tarn, &exec->last));
    if (error != TN_RT_OK) {
        free(exec);
        return error;
    }
    (void)pthread_mutex_init(&exec->lock, NULL);
    exec->plan = tn_rt_plan_keep(graph->plan);
    exec->auto_free = auto_free;
    error = tn_rt_users_copy(&exec->users, &graph->users);
    if (error != TN_RT_OK) {
        destroy_exec(&exec->object);
        return error;
    }
    if (!tn_face_handle_new(&exec->object, TN_RT_GRAPH_EXEC, destroy_exec)) {
        destroy_exec(&exec->object);
        return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for a graph's handle");
    }
    *handle = exec->object.handle;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_instantiate(void *graph_handle, bool auto_free, uintptr_t *handle) {
    struct tn_rt_graph *graph = NULL;
    TN_RT_TRY(tn_rt_graph_get(graph_handle, true, &graph));
    tn_rt_error error = TN_RT_OK;
    bool again = graph->plan->has_memory && atomic_exchange(&graph->plan->instantiated, true);
    if (again) {
        error = tn_rt_fail(TN_RT_NOT_SUPPORTED, "a graph with memory is instantiated once only");
    } else {
        error = make_exec(graph, auto_free, handle);
        if (error != TN_RT_OK) atomic_store(&graph->plan->instantiated, false);
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

static tn_rt_error run_after_last(struct graph_exec *exec, const struct tn_rt_where *where) {
    TN_RT_TRY(tn_rt_graph_memory_begin(exec->plan, exec->auto_free));
    tn_rt_error error =
        exec->launched ? tn_rt_from(tarn_stream_wait(where->stream, exec->last)) : TN_RT_OK;
    if (error == TN_RT_OK) error = tn_rt_plan_run(exec->plan, where);
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
