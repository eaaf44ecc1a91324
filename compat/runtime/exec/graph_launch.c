// SPDX-License-Identifier: Apache-2.0
// See graph_exec.h: launches.
#include <stdio.h>
#include <stdlib.h>

#include <tarn/annotate.h>

#include "compat/face/fidelity.h"
#include "compat/runtime/exec/graph_exec.h"
#include "compat/runtime/memory/graph_memory.h"
#include "compat/runtime/stream/stream.h"

struct launch {
    const struct tn_rt_graph_exec *exec;
    struct tn_rt_lane *lane;
    struct tn_rt_where where; // of the first branch
    bool named;               // a tool receives the names of the nodes
};

// A failure passes from branch to branch with the order, and to the launching stream in the end.
static tn_rt_error wait_for_events(const struct launch *launch, tarn_stream stream, uint32_t first,
                                   uint32_t count) {
    for (uint32_t i = first; i < first + count; i++) {
        tarn_event event = launch->lane->events[launch->exec->schedule.waits[i]];
        TN_RT_TRY(tn_rt_error_of(tarn_stream_wait(stream, event, TARN_STREAM_FOLLOW)));
    }
    return TN_RT_OK;
}

static tn_rt_error run_node(const struct launch *launch, const struct tn_rt_plan_node *node,
                            const struct tn_rt_where *where) {
    if (node->enabled == 0) return TN_RT_OK;
    if (!launch->named) return node->op.run(&node->op, where);
    struct tn_rt_where within = *where; // for the nodes of a child graph
    char path[48];
    (void)snprintf(path, sizeof path, "%s%u.", where->path != NULL ? where->path : "", node->id);
    within.path = path;
    tarn_annotate_caller(tn_rt_graph_node_name(where->path, node->id, node->op.work));
    return node->op.run(&node->op, &within);
}

static tn_rt_error run_step(const struct launch *launch, const struct tn_rt_step *step) {
    struct tn_rt_where branch = launch->where;
    if (step->branch > 0) {
        branch.owner = launch->lane->branches[step->branch];
        branch.stream = branch.owner->tarn;
    }
    TN_RT_TRY(wait_for_events(launch, branch.stream, step->first_wait, step->wait_count));
    TN_RT_TRY(run_node(launch, step->node, &branch));
    return step->event == 0 ? TN_RT_OK
                            : tn_rt_error_of(tarn_event_record(launch->lane->events[step->event],
                                                               branch.stream));
}

// Lets a branch begin behind an event, on a fresh stream if its own has failed.
static tn_rt_error begin_branch(const struct launch *launch, uint32_t b, tarn_event event) {
    struct tn_rt_stream *const *branch = &launch->lane->branches[b];
    tarn_status status = *branch != NULL
                             ? tarn_stream_wait((*branch)->tarn, event, TARN_STREAM_FOLLOW)
                             : TARN_DEVICE_FAILED;
    if (status != TARN_DEVICE_FAILED) return tn_rt_error_of(status);
    TN_RT_TRY(tn_rt_lane_renew(launch->exec, launch->lane, b));
    return tn_rt_error_of(tarn_stream_wait((*branch)->tarn, event, TARN_STREAM_FOLLOW));
}

// Lets the branches begin behind the earlier work of the launching stream.
static tn_rt_error fork_branches(const struct launch *launch) {
    tarn_event begin = launch->lane->events[0];
    TN_RT_TRY(tn_rt_error_of(tarn_event_record(begin, launch->where.stream)));
    for (uint32_t b = 1; b < launch->lane->branch_count; b++)
        TN_RT_TRY(begin_branch(launch, b, begin));
    return TN_RT_OK;
}

// Lets later work of the launching stream wait for the branches after an error, where events for
// that may be missing.
static void join_failed(const struct launch *launch) {
    const struct tn_rt_lane *lane = launch->lane;
    for (uint32_t b = 1; b < lane->branch_count; b++) {
        (void)tarn_event_record(lane->events[0], lane->branches[b]->tarn);
        (void)tarn_stream_wait(launch->where.stream, lane->events[0], TARN_STREAM_FOLLOW);
    }
}

static bool is_behind(const struct tn_rt_plan_node *node, const bool *dropped) {
    for (uint32_t i = 0; dropped != NULL && i < node->before.count; i++)
        if (dropped[node->before.of[i]]) return true;
    return false;
}

// Submits all nodes but those that come after one that fails. Returns the last failure.
static tn_rt_error run_steps(const struct launch *launch) {
    const struct tn_rt_schedule *schedule = &launch->exec->schedule;
    bool *dropped = NULL; // by id of the node
    tn_rt_error error = TN_RT_OK;
    for (uint32_t i = 0; i < schedule->count; i++) {
        const struct tn_rt_step *step = &schedule->steps[i];
        bool drops = is_behind(step->node, dropped);
        tn_rt_error now = drops ? error : run_step(launch, step);
        if (now == TN_RT_OK) continue;
        error = now;
        if (dropped == NULL) dropped = (bool *)calloc(launch->exec->plan->end, sizeof *dropped);
        if (dropped == NULL) break; // nothing more is submitted
        dropped[step->node->id] = true;
    }
    free(dropped);
    return error;
}

static tn_rt_error run_nodes(const struct launch *launch) {
    const struct tn_rt_schedule *schedule = &launch->exec->schedule;
    TN_FACE_DIFFERS(graph_branches, schedule->branch_count > 4);
    if (schedule->branch_count > 1) TN_RT_TRY(fork_branches(launch));
    tn_rt_error error = run_steps(launch);
    if (error == TN_RT_OK)
        error = wait_for_events(launch, launch->where.stream, schedule->first_join,
                                schedule->join_count);
    if (error != TN_RT_OK) join_failed(launch);
    return error;
}

// Lets the first branch run on a stream of the lane, behind the launching stream of another device.
// `last` remains the end of the last launch, until which no stream of the lane is renewed.
static tn_rt_error begin_elsewhere(struct launch *launch) {
    struct tn_rt_lane *lane = launch->lane;
    if (lane->entry == 0)
        TN_RT_TRY(tn_rt_error_of(tarn_event_create(launch->where.device->tarn, &lane->entry)));
    TN_RT_TRY(tn_rt_error_of(tarn_event_record(lane->entry, launch->where.stream)));
    TN_RT_TRY(begin_branch(launch, 0, lane->entry));
    launch->where.device = launch->exec->plan->device;
    launch->where.owner = lane->branches[0];
    launch->where.stream = lane->branches[0]->tarn;
    return TN_RT_OK;
}

// Lets the launching stream wait for the first branch, if that runs elsewhere.
static tn_rt_error end_launch(const struct launch *launch, tarn_stream stream) {
    tarn_event last = launch->lane->last;
    if (launch->where.stream != stream) {
        TN_RT_TRY(tn_rt_error_of(tarn_event_record(last, launch->where.stream)));
        TN_RT_TRY(tn_rt_error_of(tarn_stream_wait(stream, last, TARN_STREAM_FOLLOW)));
    }
    return tn_rt_error_of(tarn_event_record(last, stream));
}

static tn_rt_error run_on_lane(struct tn_rt_graph_exec *exec, const struct tn_rt_where *where) {
    struct launch launch = {.exec = exec, .where = *where, .named = tarn_annotate_subscribed()};
    bool elsewhere = exec->plan->device != NULL && exec->plan->device != where->device;
    TN_RT_TRY(tn_rt_lane_choose(exec, where->stream, &launch.lane));
    tn_rt_error error = elsewhere ? begin_elsewhere(&launch) : TN_RT_OK;
    if (error == TN_RT_OK) error = run_nodes(&launch);
    tn_rt_error ended = end_launch(&launch, where->stream);
    return error != TN_RT_OK ? error : ended;
}

static tn_rt_error run_exec(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    struct tn_rt_graph_exec *exec = op->exec;
    uint32_t count = exec->object.handle != 0 ? exec->memory_count : 0; // or the parent does it
    TN_FACE_LOCKED(&exec->lock);
    TN_FACE_DIFFERS(graph_auto_free, exec->flags == TN_RT_INSTANTIATE_AUTO_FREE);
    TN_RT_TRY(tn_rt_graph_memory_begin(exec->memories, count,
                                       exec->flags == TN_RT_INSTANTIATE_AUTO_FREE));
    tn_rt_error error = run_on_lane(exec, where);
    tn_rt_graph_memory_end(exec->memories, count, error != TN_RT_OK, where->stream);
    return error;
}

static tn_rt_error keep_exec(struct tn_rt_op *op) {
    tn_face_object_keep(&op->exec->object);
    return TN_RT_OK;
}

static void drop_exec(struct tn_rt_op *op) { tn_face_object_put(&op->exec->object); }

struct tn_rt_op tn_rt_graph_exec_op(struct tn_rt_graph_exec *exec) {
    return (struct tn_rt_op){.work = TN_RT_WORK_GRAPH,
                             .run = run_exec,
                             .keep = keep_exec,
                             .drop = drop_exec,
                             .exec = exec};
}

tn_rt_error tn_rt_graph_launch(void *handle, void *stream) {
    TN_RT_GET(tn_rt_graph_exec, exec, tn_rt_graph_exec_get(handle, &exec));
    const struct tn_rt_op op = tn_rt_graph_exec_op(exec);
    return tn_rt_submit(stream, &op);
}

tn_rt_error tn_rt_graph_upload(void *handle, void *stream) {
    TN_RT_GET(tn_rt_graph_exec, exec, tn_rt_graph_exec_get(handle, &exec));
    return tn_rt_stream_check(stream);
}
