// SPDX-License-Identifier: Apache-2.0
// A replay: one trace on one kind of target, and what came of it. Made by tn_replay_run(), shown by
// the table and the JSON. One thread.
#ifndef TARN_TOOLS_REPLAY_H
#define TARN_TOOLS_REPLAY_H

#include <jansson.h>

#include "bytes.h"
#include "command.h"
#include "target.h"
#include "timing.h"
#include "trace/trace.h"

enum { TN_MESSAGE = 1024 };

// What the command line asks for.
struct tn_replay_options {
    const char *device; // NULL: the library's default
    enum tn_target_kind kind;
    const char *rule_name;
    tarn_rule rule;
    uint64_t scale;
    uint64_t repeat;
    uint64_t limit; // 0: none
    bool compare;
    bool check;
    bool touch;
    bool json;
    bool verbose;
    char **traces;
    int trace_count;
};

// Parses the line. Does not return when it is wrong or asks for help.
void tn_replay_parse(int argc, char **argv, struct tn_replay_options *options);

// The totals of a replay, summed over the devices of the trace: X(name, "text"). The struct and the
// JSON come from this one list.
#define TN_TOTALS_LIST(X)                                                                          \
    X(events, "events of the trace, marks included")                                               \
    X(allocations, "of them allocations")                                                          \
    X(frees, "of them frees")                                                                      \
    X(marks, "of them marks")                                                                      \
    X(starting_blocks, "blocks that were live before the first event")                             \
    X(peak_live_bytes, "most bytes asked for and not yet freed")                                   \
    X(peak_used_bytes, "most bytes those blocks took under the rule")                              \
    X(peak_reserved_bytes, "most physical bytes taken from the device")                            \
    X(largest_free_at_peak, "largest block still free when the live bytes peaked")                 \
    X(driver_calls, "calls of the device that change memory")                                      \
    X(map_calls, "of them maps")                                                                   \
    X(unmap_calls, "of them unmaps")                                                               \
    X(moved_bytes, "physical bytes moved from one address to another")                             \
    X(bookkeeping_bytes, "host memory of the pool's records")                                      \
    X(virtual_ns, "time the device calls would take, by the device's cost model")

struct tn_totals {
#define TN_TOTALS_FIELD(name, text) uint64_t name;
    TN_TOTALS_LIST(TN_TOTALS_FIELD)
#undef TN_TOTALS_FIELD
};

// The state at a mark of the trace.
struct tn_mark {
    const char *label; // the trace's
    uint32_t device;   // as recorded
    uint64_t event;
    uint64_t time_us;
    uint64_t live;
    uint64_t held;
    uint64_t driver_calls;
};

// Why a replay ended early. An exit code of TN_EXIT_GOOD means it did not.
struct tn_failure {
    enum tn_exit exit_code;
    tarn_status status;
    char message[TN_MESSAGE];
    bool at_event;  // the fields below are known
    uint64_t event; // from 1; 0 is a block that was live before
    uint64_t where; // line of a text trace, index in the device's list of a snapshot
    uint64_t asked; // bytes
    uint64_t live;
    uint64_t free;
    uint64_t largest_free;
};

struct tn_replay {
    const char *path;
    const char *device;
    enum tn_target_kind kind;
    const struct tn_replay_options *options;
    const struct tn_trace *trace; // NULL when it could not be read
    struct tn_failure failure;
    struct tn_totals totals;
    bool says_reserved; // the recording tells what its own allocator held, at most and in sum:
    uint64_t recorded_reserved;
    uint64_t timer_ns;               // subtracted from each measured duration
    struct tn_histogram alloc_times; // of the calls that events of the trace ask for
    struct tn_histogram free_times;
    uint64_t untimed_ns; // of the passes that measure nothing but the whole
    uint64_t untimed_calls;
    struct tn_mark *marks; // only when they are wanted
    size_t mark_count;
    size_t mark_room;
};

// Replays `trace` on the devices from `device` on. Failures are in replay->failure. `replay` begins
// zeroed but for path, device, kind, options and trace; release it with tn_replay_release().
void tn_replay_run(struct tn_replay *replay, tarn_device *device);
void tn_replay_release(struct tn_replay *replay);

// Records the failure, with the library's last error behind the text when there is one.
void tn_replay_fail(struct tn_replay *replay, enum tn_exit exit_code, tarn_status status,
                    const char *format, ...) TARN_PRINTF(4, 5);

// peak live / peak reserved; 0 when nothing was reserved.
double tn_replay_utilisation(const struct tn_replay *replay);
// Allocations and frees a second; 0 when not measured.
double tn_replay_throughput(const struct tn_replay *replay);

// For people: a heading, then for each trace a line of its own, a line a replay, and one of what
// the recording's own allocator reserved; at the end what the columns mean.
void tn_table_heading(const struct tn_replay_options *options, const char *device);
void tn_table_trace(const struct tn_replay *replay);
void tn_table_replay(const struct tn_replay *replay);
void tn_table_recording(const struct tn_replay *replay);
void tn_table_legend(uint64_t timer_ns);

// For programs: an object with the result, or with what is known and an "error". The caller owns
// it; NULL when memory is out.
json_t *tn_json_replay(const struct tn_replay *replay);

#endif
