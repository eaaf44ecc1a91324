// SPDX-License-Identifier: Apache-2.0
// `tarn fit`: the least memory in which each kind of pool completes a recording. The search fills
// the results; the printing shows them. One thread in each process.
#ifndef TARN_TOOLS_FIT_FIT_H
#define TARN_TOOLS_FIT_FIT_H

#include "tools/replay/replay.h"

// The least memory of one device of the recording in one kind of pool.
struct tn_fitting_need {
    bool known;     // else `text` says why
    uint64_t bytes; // a multiple of the device's granularity
    bool refused;   // with one granule less, the fields below are known
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
    bool one_kind; // only `kind`
    enum tn_target_kind kind;
    const char *rule_name;
    struct tn_target_settings settings;
    bool ignore_streams;
    bool as_recorded; // leave out requests that were refused while the recording was made
    uint64_t context; // bytes of a card that other things than the pool take
    const char *card; // only cards whose name contains this text, or a size; NULL: all
    unsigned jobs;
    bool json;
    const char *minimise; // file for the smallest recording that fails at `limit`; or NULL
    struct tn_replay_limit limit;
    uint64_t tries; // of the minimiser
};

// The request that was refused while the recording was made, and the live bytes then, of those with
// the highest sum. Zero: none was refused.
struct tn_fitting_refusal {
    uint64_t size;
    uint64_t live;
};

struct tn_fitting {
    const struct tn_fitting_options *options;
    const struct tn_trace *trace;
    uint64_t granule;
    // By device of the trace and kind: device * TN_TARGET_KINDS + kind.
    struct tn_fitting_need *needs;
    uint64_t *peak_live; // by device, as is the next
    struct tn_fitting_refusal *refused;
};

// Searches the needs of all devices and kinds, several at a time in processes of their own. Returns
// an exit code; a failure is printed.
enum tn_exit tn_fitting_search(struct tn_fitting *fit);

// Finds out whether one device of the recording completes in `limit` bytes. The replay has the
// failure.
bool tn_fitting_try(const struct tn_fitting_options *options, const struct tn_trace *trace,
                    const struct tn_trace_device *part, enum tn_target_kind kind, uint64_t limit,
                    tarn_device *device, struct tn_replay *replay);

// Writes the smallest recording that the minimiser finds and that still fails. Prints what it did.
enum tn_exit tn_fitting_minimise(struct tn_fitting *fit);

void tn_fitting_print(const struct tn_fitting *fit);
// Returns false if out of memory.
void tn_fitting_print_json(const struct tn_fitting *fit);

#endif
