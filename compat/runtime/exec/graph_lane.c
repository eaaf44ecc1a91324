// SPDX-License-Identifier: Apache-2.0
// See graph_exec.h: the lanes of executable graphs.
#include <stdlib.h>

#include <tarn/annotate.h>

#include "compat/runtime/base/lock.h"
#include "compat/runtime/exec/graph_exec.h"
#include "compat/runtime/stream/stream.h"
#include "src/base/list.h"

// Those that were busy when their executable graph ended.
static _Atomic(struct tn_rt_lane *) retired;

// A launching stream that fails waits for no further branch.
bool tn_rt_lane_is_busy(const struct tn_rt_lane *lane) {
    tarn_status status = tarn_event_peek(lane->last);
    for (uint32_t b = 0; status == TARN_DEVICE_FAILED && b < lane->branch_count; b++)
        if (lane->branches[b] != NULL &&
            tarn_stream_peek(lane->branches[b]->tarn) == TARN_NOT_READY)
            return true;
    return status == TARN_NOT_READY;
}

static void free_lane(struct tn_rt_lane *lane) {
    for (uint32_t b = 0; lane->branches != NULL && b < lane->branch_count; b++)
        if (lane->branches[b] != NULL) tn_rt_stream_put(lane->branches[b]);
    free(lane->branches);
    for (uint32_t i = 0; lane->events != NULL && i < lane->event_count; i++)
        (void)tarn_event_destroy(lane->events[i]);
    free(lane->events);
    if (lane->entry != 0) (void)tarn_event_destroy(lane->entry);
    (void)tarn_event_destroy(lane->last);
    free(lane);
}

static void free_or_retire(struct tn_rt_lane *lanes) {
    TN_CHAIN_DRAIN(struct tn_rt_lane, lane, lanes, next) {
        if (!tn_rt_lane_is_busy(lane)) {
            free_lane(lane);
            continue;
        }
        lane->next = atomic_load(&retired);
        while (!atomic_compare_exchange_weak(&retired, &lane->next, lane)) {
        }
    }
}

void tn_rt_lanes_end(struct tn_rt_graph_exec *exec) {
    free_or_retire(atomic_exchange(&retired, NULL));
    free_or_retire(exec->lanes);
    exec->lanes = NULL;
}

tn_rt_error tn_rt_lane_renew(const struct tn_rt_graph_exec *exec, struct tn_rt_lane *lane,
                             uint32_t branch) {
    struct tn_rt_stream *fresh = NULL;
    struct tn_rt_stream *before = lane->branches[branch];
    if (before != NULL && tarn_event_peek(lane->last) == TARN_NOT_READY)
        return tn_rt_error_of(tarn_stream_peek(before->tarn));
    TN_RT_TRY(tn_rt_stream_new_branch(exec->plan->device, &fresh));
    if (before != NULL) tn_rt_stream_put(before);
    lane->branches[branch] = fresh;
    return TN_RT_OK;
}

static tn_rt_error fill_lane(const struct tn_rt_graph_exec *exec, struct tn_rt_lane *lane) {
    lane->branches =
        (struct tn_rt_stream **)calloc(lane->branch_count + 1, sizeof(struct tn_rt_stream *));
    lane->events = (tarn_event *)calloc(lane->event_count + 1, sizeof *lane->events);
    TN_RT_REFUSE(lane->branches == NULL || lane->events == NULL, TN_RT_OUT_OF_MEMORY,
                 "no host memory for %u branches", lane->branch_count);
    TN_RT_TRY(tn_rt_error_of(tarn_event_create(tn_rt_current()->tarn, &lane->last)));
    for (uint32_t i = 0; i < lane->event_count; i++)
        TN_RT_TRY(tn_rt_error_of(tarn_event_create(exec->plan->device->tarn, &lane->events[i])));
    for (uint32_t b = 1; b < lane->branch_count; b++) TN_RT_TRY(tn_rt_lane_renew(exec, lane, b));
    return TN_RT_OK;
}

tn_rt_error tn_rt_lane_new(struct tn_rt_graph_exec *exec) {
    struct tn_rt_lane *lane = (struct tn_rt_lane *)calloc(1, sizeof *lane);
    TN_RT_REFUSE(lane == NULL, TN_RT_OUT_OF_MEMORY, "no host memory for a launch");
    lane->branch_count = exec->schedule.branch_count;
    lane->event_count = exec->schedule.event_count;
    tn_rt_error error = fill_lane(exec, lane);
    if (error != TN_RT_OK) {
        free_lane(lane);
        return error;
    }
    lane->next = exec->lanes;
    exec->lanes = lane;
    return TN_RT_OK;
}

tn_rt_error tn_rt_lane_choose(struct tn_rt_graph_exec *exec, tarn_stream stream,
                              struct tn_rt_lane **chosen) {
    struct tn_rt_lane *lane = exec->lanes;
    bool alone = exec->memory_count > 0; // launches use the same addresses
    if (alone && lane->stream != stream && lane->stream != TARN_STREAM_NONE)
        TN_RT_TRY(tn_rt_error_of(tarn_stream_wait(stream, lane->last, 0)));
    while (lane != NULL && !alone && lane->stream != stream) lane = lane->next;
    // A checker would take the query of an event for the knowledge of the program.
    if (lane == NULL && !tarn_annotate_subscribed())
        for (lane = exec->lanes; lane != NULL && tn_rt_lane_is_busy(lane);) lane = lane->next;
    if (lane == NULL) TN_RT_TRY(tn_rt_lane_new(exec));
    *chosen = lane != NULL ? lane : exec->lanes;
    (*chosen)->stream = stream;
    return TN_RT_OK;
}

// In the child all streams belong to the parent.
static void forget_retired(void) { retired = NULL; }

TN_FACE_ON_FORK(TN_RT_LOCK_GRAPH, NULL, forget_retired);
