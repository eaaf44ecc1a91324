// SPDX-License-Identifier: Apache-2.0
// `tarn fit`: the memory in which each kind of pool completes a recording. The search fills the
// results; the printing shows them. One thread in each process.
#pragma once

#include "tools/cards.h"
#include "tools/replay/replay.h"
#include "trace/study/vendor.h"

enum { TN_FITTING_RANGES = 256 };

// Sizes from `from` to below `to`, all multiples of the granularity.
struct tn_fitting_range {
    uint64_t from;
    uint64_t to;
};

// The memory of one device of the recording in one kind of pool. Sizes are multiples of the device's
// granularity. A pool at its limit decides differently, so a size above the least one may fail.
struct tn_fitting_need {
    bool known;             // else `text` says why
    enum tn_exit exit_code; // why not: TN_EXIT_NO_FIT if the memory of the device does not suffice
    uint64_t bytes;         // the least size found that completes
    uint64_t above;         // no larger size is known to fail
    uint64_t certain;       // from here on each size completes without a replay; 0: not known
    uint64_t tried_to;      // the end of the search; above, only sizes of cards were tried
    uint64_t untried_above; // the widest gap between tried sizes, above and below the least; 0 if
    uint64_t untried_below; // the outcome of each size is known
    struct tn_fitting_range ranges[TN_FITTING_RANGES]; // that fail, between `bytes` and `above`
    size_t range_count;                                // more than TN_FITTING_RANGES are not listed
    uint64_t replays;
    bool refused;   // with one granule less than `bytes`, the fields below are known
    uint64_t event; // counted from 1; 0 is a block that was live before
    uint64_t where; // line of a text trace, or index in the device's list
    uint64_t asked;
    char cause[32];
    char text[256]; // the complete message
};

struct tn_fitting_options {
    const char *device;
    const char *path;
    struct tn_trace_limits limits;
    enum tn_target_kind kind; // TN_TARGET_KINDS: all
    const char *rule_name;
    struct tn_target_settings settings;
    bool ignore_streams;
    bool as_recorded;      // leave out requests that were refused while the recording was made
    uint64_t context;      // bytes of a card that other things than the pool take
    const char *card;      // only cards whose name contains this text, or a size; NULL: all
    enum tn_vendor vendor; // of the recording: if it is known, its cards are preferred
    unsigned jobs;
    bool json;
    const char *minimise; // file for the smallest recording that fails at `limit`; or NULL
    struct tn_replay_limit limit;
    uint64_t tries; // replays at most; 0: the default
};

// Returns true if the search is for this kind of pool.
static inline bool tn_fitting_wants(const struct tn_fitting_options *options,
                                    enum tn_target_kind kind) {
    return kind == options->kind || options->kind == TN_TARGET_KINDS;
}

// The request that was refused while the recording was made, and the live bytes then, of those with
// the highest sum. Zero: none was refused.
struct tn_fitting_refusal {
    uint64_t size;
    uint64_t live;
};

struct tn_fitting {
    const struct tn_fitting_options *options;
    const struct tn_trace *trace;
    struct tn_card recorded; // the card of the recording; no bytes: not told
    uint64_t granule;
    // By device of the trace and kind: device * TN_TARGET_KINDS + kind. The processes of the search
    // share them.
    struct tn_fitting_need *needs;
    uint64_t *peak_live; // by device, as is the next
    struct tn_fitting_refusal *refused;
};

// Searches the needs of all devices and kinds, several at a time in processes of their own. Returns
// an exit code; a failure is printed. Memory of the device that does not suffice is no failure.
enum tn_exit tn_fitting_search(struct tn_fitting *fit);

// Finds out whether one device of the recording completes in `limit` bytes. The replay has the
// failure.
bool tn_fitting_try(const struct tn_fitting_options *options, const struct tn_trace *trace,
                    const struct tn_trace_device *part, enum tn_target_kind kind, uint64_t limit,
                    tarn_device *device, struct tn_replay *replay);

// Writes the smallest recording that the minimiser finds and that still fails. Prints what it did.
enum tn_exit tn_fitting_minimise(struct tn_fitting *fit);

// Finds the cards to show. Returns their number.
size_t tn_fitting_choose_cards(const struct tn_fitting_options *options,
                               struct tn_card chosen[TN_CARDS]);

void tn_fitting_print(const struct tn_fitting *fit);
void tn_fitting_print_json(const struct tn_fitting *fit);
