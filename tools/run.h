// SPDX-License-Identifier: Apache-2.0
// A run: one device of a trace at work on one target. Private to the files that make a replay: this
// is what its passes, its blocks and its failures share. One thread.
#ifndef TARN_TOOLS_RUN_H
#define TARN_TOOLS_RUN_H

#include "claims.h"
#include "progress.h"
#include "replay.h"
#include "touch.h"

// In place of the index of an event: what happens before the first, or after the last.
#define TN_NO_EVENT SIZE_MAX

struct tn_run {
    struct tn_replay *replay;
    const struct tn_trace *trace;
    const struct tn_trace_device *part;
    tarn_device *device;
    uint64_t scale;
    struct tn_target target;
    struct tn_touch touch; // begun only in the pass that touches, as are the claims
    struct tn_claims claims;
    tarn_stream *streams; // by stream of the trace; 0 for text traces: they know no streams
    tarn_addr *addresses; // by block of the trace; 0 is not live
    size_t peak_event;    // after which the live bytes are highest; `TN_NO_EVENT` before the first
    uint64_t live;
    uint64_t peak_live;
    uint64_t largest_free_at_peak;
    uint64_t round; // which repetition; those from 1 on leave peaks and marks alone
    bool timing;    // the calls are timed
    struct tn_progress *progress;
};

// Bytes to ask for.
static inline uint64_t tn_run_size(const struct tn_run *run, uint32_t block) {
    return run->trace->blocks[block].size * run->scale;
}

static inline bool tn_run_failed(const struct tn_run *run) {
    return run->replay->failure.exit_code != TN_EXIT_GOOD;
}

static inline bool tn_run_touches(const struct tn_run *run) {
    return run->touch.words != NULL;
}

// Blocks: timed, touched and counted as the pass wants it. `index` is the event that asks for it.
void tn_run_allocate(struct tn_run *run, uint32_t block, size_t index);
void tn_run_give_back(struct tn_run *run, uint32_t block, size_t index);
void tn_run_free_all(struct tn_run *run);

// Failures: each is recorded in the replay with its place in the trace.
bool tn_run_is_no_fit(tarn_status status);
void tn_run_fail_alloc(struct tn_run *run, uint32_t block, size_t index, tarn_status status);
void tn_run_fail_at(struct tn_run *run, uint32_t block, size_t index, tarn_status status,
                    const char *what);
void tn_run_fail_mismatch(struct tn_run *run, uint32_t block, size_t index,
                          const struct tn_mismatch *mismatch);
void tn_run_fail_overlap(struct tn_run *run, uint32_t block, size_t index,
                         const struct tn_claim *other);

#endif
