// SPDX-License-Identifier: Apache-2.0
// Executable graphs. Each has a plan of its own, the order in which a launch submits the nodes, the
// streams of all branches but the first, which runs on the launching stream, and an event at the
// end of its last launch. A launch is a piece of work like any other, so a graph that is launched
// into a capturing stream becomes a node there. Each has its own lock, which orders its launches.
#include <pthread.h>
#include <stdlib.h>

#include "compat/runtime/graph.h"
#include "compat/runtime/graph_memory.h"
#include "compat/runtime/lock.h"
#include "compat/runtime/schedule.h"
#include "compat/runtime/stream.h"

struct tn_rt_graph_exec {
    struct tn_face_object object;
    struct tn_rt_plan *plan;
    struct tn_rt_schedule schedule;
    tarn_event *events;             // of the schedule
    struct tn_rt_stream **branches; // by branch; the first is NULL
    pthread_mutex_t lock;           // one launch at a time
    tarn_event last;                // the end of the last launch
    bool launched;                  // at least once
    bool auto_free;                 // a launch frees memory of the one before
    struct tn_rt_user_list users;   // its references to user objects
    struct tn_rt_graph_exec *next;  // of `retired`
};

// Executable graphs that were destroyed while their branches ran. Their streams are destroyed by a
// later call, because destroying a stream waits for it.
static _Atomic(struct tn_rt_graph_exec *) retired;

// ---- life

static void free_exec(struct tn_rt_graph_exec *exec) {
    for (uint32_t b = 1; exec->branches != NULL && b < exec->schedule.branch_count; b++)
        if (exec->branches[b] != NULL) tn_rt_stream_put(exec->branches[b]);
    free(exec->branches);
    for (uint32_t i = 0; exec->events != NULL && i < exec->schedule.event_count; i++)
        (void)tarn_event_destroy(exec->events[i]);
    free(exec->events);
    (void)tarn_event_destroy(exec->last);
    tn_rt_schedule_free(&exec->schedule);
    tn_rt_plan_free(exec->plan);
    (void)pthread_mutex_destroy(&exec->lock);
    free(exec);
}

static void retire_exec(struct tn_rt_graph_exec *exec) {
    exec->next = atomic_load(&retired);
    while (!atomic_compare_exchange_weak(&retired, &exec->next, exec)) {
    }
}

static void free_retired(void) {
    struct tn_rt_graph_exec *exec = atomic_exchange(&retired, NULL);
    while (exec != NULL) {
        struct tn_rt_graph_exec *next = exec->next;
        if (tarn_event_query(exec->last) == TARN_NOT_READY)
            retire_exec(exec);
        else
            free_exec(exec);
        exec = next;
    }
}

// Memory and objects that a running launch may use end after it.
static void destroy_exec(struct tn_face_object *object) {
    struct tn_rt_graph_exec *exec = (struct tn_rt_graph_exec *)object;
    bool busy = exec->launched && tarn_event_query(exec->last) == TARN_NOT_READY;
    if (exec->users.count > 0 && busy) (void)tarn_event_synchronize(exec->last, TARN_FOREVER);
    tn_rt_users_drop(&exec->users);
    tn_rt_plan_free(exec->plan);
    exec->plan = NULL;
    free_retired();
    if (exec->schedule.branch_count > 1 && busy)
        retire_exec(exec);
    else
        free_exec(exec);
}

static tn_rt_error no_exec(void *handle) {
    return tn_rt_fail(TN_RT_INVALID_VALUE, "%p is not an executable graph", handle);
}

static tn_rt_error no_memory(void) {
    return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "no host memory for an executable graph");
}

// Makes the events and streams that the schedule needs.
static tn_rt_error open_branches(struct tn_rt_graph_exec *exec) {
    const struct tn_rt_schedule *schedule = &exec->schedule;
    if (schedule->branch_count <= 1) return TN_RT_OK;
    exec->events = (tarn_event *)calloc(schedule->event_count, sizeof *exec->events);
    exec->branches =
        (struct tn_rt_stream **)calloc(schedule->branch_count, sizeof(struct tn_rt_stream *));
    if (exec->events == NULL || exec->branches == NULL) return no_memory();
    for (uint32_t i = 0; i < schedule->event_count; i++)
        TN_RT_TRY(tn_rt_from(tarn_event_create(exec->plan->device->tarn, &exec->events[i])));
    for (uint32_t b = 1; b < schedule->branch_count; b++)
        TN_RT_TRY(tn_rt_stream_new_branch(exec->plan->device, &exec->branches[b]));
    return TN_RT_OK;
}

// Makes an executable graph that owns `plan`, which is freed on failure.
static tn_rt_error make_exec(struct tn_rt_plan *plan, const struct tn_rt_user_list *users,
                             bool auto_free, void *handle) {
    struct tn_rt_graph_exec *exec = (struct tn_rt_graph_exec *)calloc(1, sizeof *exec);
    if (exec == NULL) {
        tn_rt_plan_free(plan);
        return no_memory();
    }
    (void)pthread_mutex_init(&exec->lock, NULL);
    exec->plan = plan;
    exec->auto_free = auto_free;
    free_retired();
    tn_rt_error error = tn_rt_schedule_make(plan, &exec->schedule);
    if (error == TN_RT_OK)
        error = tn_rt_from(tarn_event_create(tn_rt_current()->tarn, &exec->last));
    if (error == TN_RT_OK) error = open_branches(exec);
    if (error == TN_RT_OK) error = tn_rt_users_copy(&exec->users, users);
    if (error == TN_RT_OK && !tn_face_handle_new(&exec->object, TN_RT_GRAPH_EXEC, destroy_exec))
        error = no_memory();
    if (error != TN_RT_OK) {
        tn_rt_users_drop(&exec->users);
        free_exec(exec);
        return error;
    }
    tn_rt_give(handle, exec->object.handle);
    return TN_RT_OK;
}

// Copies the plan of a graph. One that allocates or frees memory is copied once only.
static tn_rt_error take_plan(struct tn_rt_graph *graph, struct tn_rt_plan **plan) {
    TN_FACE_LOCKED(&tn_rt_plan_lock);
    TN_RT_REFUSE(graph->plan->instantiated, TN_RT_NOT_SUPPORTED,
                 "a graph with memory is instantiated once only");
    TN_RT_TRY(tn_rt_plan_copy(graph->plan, plan));
    graph->plan->instantiated = (*plan)->memory_count > 0;
    return TN_RT_OK;
}

tn_rt_error tn_rt_graph_instantiate(void *exec, void *handle, unsigned long long flags) {
    struct tn_rt_graph TN_FACE_HELD *graph = NULL;
    struct tn_rt_plan *plan = NULL;
    if (exec == NULL || handle == NULL) {
        return tn_rt_unkept(
            tn_rt_fail(TN_RT_INVALID_VALUE, "%s is NULL", exec == NULL ? "pGraphExec" : "graph"));
    }
    TN_RT_REFUSE(flags != 0 && flags != TN_RT_INSTANTIATE_AUTO_FREE &&
                     flags != TN_RT_INSTANTIATE_PRIORITY,
                 TN_RT_INVALID_VALUE, "flags 0x%llx, 0, 1 and 8 are defined", flags);
    TN_RT_TRY(tn_rt_graph_get(handle, true, &graph));
    TN_RT_TRY(take_plan(graph, &plan));
    tn_rt_error error = make_exec(plan, &graph->users, flags == TN_RT_INSTANTIATE_AUTO_FREE, exec);
    if (error != TN_RT_OK) {
        TN_FACE_LOCKED(&tn_rt_plan_lock);
        graph->plan->instantiated = false;
    }
    return error;
}

tn_rt_error tn_rt_graph_exec_end(void *handle) {
    return tn_face_handle_end((uintptr_t)handle, TN_RT_GRAPH_EXEC) ? TN_RT_OK : no_exec(handle);
}

// ---- launch

// A failure passes from branch to branch with the order, and to the launching stream in the end.
static tn_rt_error wait_for_events(const struct tn_rt_graph_exec *exec, tarn_stream stream,
                                   uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i++) {
        tarn_event event = exec->events[exec->schedule.waits[i]];
        TN_RT_TRY(tn_rt_from(tarn_stream_follow(stream, event)));
    }
    return TN_RT_OK;
}

static tn_rt_error run_step(const struct tn_rt_graph_exec *exec, const struct tn_rt_step *step,
                            const struct tn_rt_where *where) {
    struct tn_rt_where branch = *where;
    if (step->branch > 0) {
        branch.owner = exec->branches[step->branch];
        branch.stream = branch.owner->tarn;
    }
    TN_RT_TRY(wait_for_events(exec, branch.stream, step->first_wait, step->wait_count));
    TN_RT_TRY(step->node->op.run(&step->node->op, &branch));
    return step->event == 0
               ? TN_RT_OK
               : tn_rt_from(tarn_event_record(exec->events[step->event], branch.stream));
}

// Lets the branches begin behind the earlier work of the launching stream, on fresh streams for
// those that failed in an earlier launch. Until that launch has ended, the graph cannot be launched
// again.
static tn_rt_error fork_branches(struct tn_rt_graph_exec *exec, const struct tn_rt_where *where) {
    for (uint32_t b = 1; b < exec->schedule.branch_count; b++) {
        struct tn_rt_stream *fresh = NULL;
        if (tarn_stream_query(exec->branches[b]->tarn) != TARN_DEVICE_FAILED) continue;
        if (tarn_event_query(exec->last) == TARN_NOT_READY)
            return tn_rt_from(tarn_stream_query(exec->branches[b]->tarn));
        TN_RT_TRY(tn_rt_stream_new_branch(exec->plan->device, &fresh));
        tn_rt_stream_put(exec->branches[b]);
        exec->branches[b] = fresh;
    }
    return tn_rt_from(tarn_event_record(exec->events[0], where->stream));
}

// Lets later work of the launching stream wait for the branches after an error, where events for
// that may be missing.
static void join_failed(const struct tn_rt_graph_exec *exec, const struct tn_rt_where *where) {
    for (uint32_t b = 1; b < exec->schedule.branch_count; b++) {
        (void)tarn_event_record(exec->events[0], exec->branches[b]->tarn);
        (void)tarn_stream_follow(where->stream, exec->events[0]);
    }
}

static tn_rt_error run_nodes(struct tn_rt_graph_exec *exec, const struct tn_rt_where *where) {
    const struct tn_rt_schedule *schedule = &exec->schedule;
    bool forks = schedule->branch_count > 1;
    if (forks) TN_RT_TRY(fork_branches(exec, where));
    tn_rt_error error = TN_RT_OK;
    for (uint32_t i = 0; i < schedule->count && error == TN_RT_OK; i++)
        error = forks ? run_step(exec, &schedule->steps[i], where)
                      : schedule->steps[i].node->op.run(&schedule->steps[i].node->op, where);
    if (forks && error == TN_RT_OK)
        error = wait_for_events(exec, where->stream, schedule->first_join, schedule->join_count);
    if (error != TN_RT_OK) join_failed(exec, where);
    return error;
}

static tn_rt_error run_after_last(struct tn_rt_graph_exec *exec, const struct tn_rt_where *where) {
    const struct tn_face_device *device = exec->plan->device;
    TN_RT_REFUSE(device != NULL && device != where->device, TN_RT_NOT_SUPPORTED,
                 "a graph of device %d cannot run on a stream of device %d", device->ordinal,
                 where->device->ordinal);
    TN_RT_TRY(tn_rt_graph_memory_begin(exec->plan, exec->auto_free));
    tn_rt_error error =
        exec->launched ? tn_rt_from(tarn_stream_wait(where->stream, exec->last)) : TN_RT_OK;
    if (error == TN_RT_OK) error = run_nodes(exec, where);
    tn_rt_error recorded = tn_rt_from(tarn_event_record(exec->last, where->stream));
    exec->launched = exec->launched || recorded == TN_RT_OK;
    return error != TN_RT_OK ? error : recorded;
}

static tn_rt_error run_exec(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    TN_FACE_LOCKED(&op->exec->lock);
    return run_after_last(op->exec, where);
}

static tn_rt_error keep_exec(struct tn_rt_op *op) {
    tn_face_object_keep(&op->exec->object);
    return TN_RT_OK;
}

static void drop_exec(struct tn_rt_op *op) { tn_face_object_put(&op->exec->object); }

tn_rt_error tn_rt_graph_launch(void *handle, void *stream) {
    struct tn_rt_op op = {
        .work = TN_RT_WORK_GRAPH, .run = run_exec, .keep = keep_exec, .drop = drop_exec};
    op.exec = (struct tn_rt_graph_exec *)tn_face_handle_get((uintptr_t)handle, TN_RT_GRAPH_EXEC);
    if (op.exec == NULL) return no_exec(handle);
    tn_rt_error error = tn_rt_submit(stream, &op);
    tn_face_object_put(&op.exec->object);
    return error;
}

// In the child all streams belong to the parent.
static void forget_retired(void) { retired = NULL; }

TN_FACE_ON_FORK(TN_RT_LOCK_GRAPH, NULL, forget_retired);
