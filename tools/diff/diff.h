// SPDX-License-Identifier: Apache-2.0
// `tarn diff`: what changed between two recordings. The comparison fills the results; the printing
// shows them. One thread.
#pragma once

#include <jansson.h>

#include "tools/bytes.h"
#include "tools/replay/target.h"
#include "trace/study/holders.h"

// One recording, and one of its devices at the peak of its live bytes.
struct tn_diff_side {
    const char *path;
    struct tn_trace trace;
    struct tn_life *lives;
    struct tn_owners owners;
    const struct tn_trace_device *device;
    struct tn_levels levels;
    struct tn_phases phases;
    struct tn_moment peak;
    uint64_t reserved; // most that a replay on the pool reserves
};

// Bytes and blocks of one side.
struct tn_diff_sum {
    uint64_t bytes;
    uint64_t count;
};

// A holder of memory at the peak, or a phase with its own peak, on both sides. Sides are matched by
// the text.
struct tn_diff_row {
    char *text;
    struct tn_diff_sum side[2];
};

struct tn_diff_rows {
    struct tn_diff_row *list; // the largest change first
    size_t count, room;
};

// The options of the command line.
struct tn_diff_options {
    const char *path[2];
    struct tn_trace_limits limits; // of each
    enum tn_holder_kind kind;
    uint64_t top;
    uint64_t device;          // UINT64_MAX: all
    double limit;             // percent by which the peaks may grow; NAN: any
    double holder_limit;      // percent of the peak by which a holder may grow; NAN: any
    enum tn_target_kind pool; // of the replays, or TN_TARGET_KINDS
    bool all_frames;
    bool json;
};

struct tn_diff {
    const struct tn_diff_options *options;
    struct tn_diff_side side[2];
    struct tn_diff_rows holders;
    struct tn_diff_rows phases;
    json_t *results; // by device
    bool is_over;    // a limit, on a device
};

// Compares the sides, whose devices are set. Fails with NO_HOST_MEMORY.
tarn_status tn_diff_compare(struct tn_diff *diff);
void tn_diff_release(struct tn_diff *diff);

void tn_diff_print(const struct tn_diff *diff);
// Sets the members that describe the comparison of one device.
void tn_diff_describe(json_t *whole, const struct tn_diff *diff);
// Reports what grew by more than its limit, and sets the members about limits. Returns true if anything
// did.
bool tn_diff_check(json_t *whole, const struct tn_diff *diff);
