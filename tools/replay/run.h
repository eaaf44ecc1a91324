// SPDX-License-Identifier: Apache-2.0
// A run: the replay of one device of a trace on one target. The files of a replay share it: passes,
// blocks and failures. One thread.
#pragma once

#include "tools/progress.h"
#include "tools/replay/recorded.h"
#include "tools/replay/replay.h"
#include "tools/replay/touch.h"
#include "trace/ranges.h"

// The event index of calls before the first event or after the last.
#define TN_NO_EVENT SIZE_MAX

struct tn_replay_run {
    struct tn_replay *replay;
    const struct tn_trace *trace;
    const struct tn_trace_device *part;
    tarn_device *device;
    uint64_t scale;
    uint64_t limit;                     // bytes that the target may hold; 0 means no limit
    struct tn_target_settings settings; // those of the options, and the plan
    struct tn_recorded_plan plan;       // PLANNED, unless the options have one
    struct tn_target target;
    struct tn_target_state before; // at the start of the pass
    bool observed;                 // the pass is recorded
    struct tn_touch touch;         // begun only in the pass that touches blocks
    struct tn_interval claims;     // the ranges of the live blocks in that pass, with their numbers
    tarn_stream *streams; // by stream of the trace; 0 for text traces, which have no streams
    tarn_addr *addresses; // by block of the trace; 0 if not live
    tarn_addr first;      // the first address that a block got; 0 before
    size_t peak_event;    // the live bytes are highest after it; `TN_NO_EVENT`: before the first
    uint64_t live;
    uint64_t peak_live;
    uint64_t largest_free_at_peak;
    uint64_t peak_held;
    struct tn_curve *curve; // of the pass; NULL if it records none
    uint64_t curve_peak;    // of the numbers of the curve
    uint64_t round;         // the repetition; peaks and marks are recorded in round 0 only
    bool timing;            // the calls are timed
};

// Returns the bytes to request.
static inline uint64_t tn_replay_run_size(const struct tn_replay_run *run, uint32_t block) {
    return run->trace->blocks[block].size * run->scale;
}

static inline bool tn_replay_run_failed(const struct tn_replay_run *run) {
    return run->replay->failure.exit_code != TN_EXIT_OK;
}

static inline void tn_replay_run_report(const struct tn_replay_run *run, uint64_t events) {
    if (run->replay->reports) tn_progress_step(events);
}

static inline bool tn_replay_run_touches(const struct tn_replay_run *run) {
    return run->touch.words != NULL;
}

// Allocate, free and check blocks, timed, touched and counted as the pass requires. `index` is the
// event.
void tn_replay_run_allocate(struct tn_replay_run *run, uint32_t block, size_t index);
void tn_replay_run_free(struct tn_replay_run *run, uint32_t block, size_t index);
void tn_replay_run_free_all(struct tn_replay_run *run);

// Adds to the curve of the pass if `done` events end a part of it.
void tn_replay_run_extend_curve(struct tn_replay_run *run, size_t done);

// Reads the state of the target. A failure is that of the replay.
bool tn_replay_run_state(struct tn_replay_run *run, struct tn_target_state *state);

// Begin and end the recording of a pass. Every block is free at both moments.
void tn_replay_run_begin_pass(struct tn_replay_run *run);
void tn_replay_run_end_pass(struct tn_replay_run *run);

// Failures. Each is recorded in the replay with its place in the trace.
bool tn_replay_run_is_no_fit(tarn_status status);
void tn_replay_run_fail_alloc(struct tn_replay_run *run, uint32_t block, size_t index,
                              tarn_status status);
void tn_replay_run_fail_at(struct tn_replay_run *run, uint32_t block, size_t index,
                           tarn_status status, const char *what);
void tn_replay_run_fail_mismatch(struct tn_replay_run *run, uint32_t block, size_t index,
                                 const struct tn_mismatch *mismatch);
// Names the block whose claim overlaps this one.
void tn_replay_run_fail_overlap(struct tn_replay_run *run, uint32_t block, size_t index);
