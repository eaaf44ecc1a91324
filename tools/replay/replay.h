// SPDX-License-Identifier: Apache-2.0
// A replay: one trace on one kind of target, and its results. tn_replay_run() fills it; the table
// and the JSON print it. One thread.
#pragma once

#include <jansson.h>

#include "tools/bytes.h"
#include "tools/command.h"
#include "tools/replay/target.h"
#include "tools/timing.h"
#include "trace/trace.h"

enum { TN_MESSAGE = 1024 };

// The memory that a target may hold: `bytes`, or relative to the peak of live bytes of the device.
struct tn_replay_limit {
    const char *text; // as given; NULL means no limit
    uint64_t bytes;   // absolute, or to add to the peak
    double factor;    // of the peak; 0 means that `bytes` is absolute
};

// The options of the command line.
struct tn_replay_options {
    const char *device; // NULL selects the library's default
    enum tn_target_kind kind;
    const char *rule_name;
    const char *plan; // name of a file, "learn", or NULL
    struct tn_target_settings settings;
    uint64_t scale;
    uint64_t repeat;
    struct tn_replay_limit limit;
    struct tn_trace_limits limits;
    bool ignore_streams;
    bool compare;
    bool check;
    bool touch;
    bool json;
    bool verbose;
    uint64_t plan_steps; // of the search of a plan; 0: its default
    bool memory_only;    // one pass without times, whose result is the memory
    bool curves;         // record the held bytes over the events of the first pass
    char **traces;
    int trace_count;
};

// For options.plan_steps of commands that replay by the way. They plan recordings of so many events at
// most, which takes about a second.
#define TN_REPLAY_PLAN_STEPS (UINT64_C(1) << 23)
enum { TN_REPLAY_PLAN_EVENTS = 200000 };

// Sets the options of an empty line, without a device and without traces.
void tn_replay_defaults(struct tn_replay_options *options);
// Parses the line. Exits if it is invalid or requests help.
void tn_replay_parse(int argc, char **argv, struct tn_replay_options *options);
// Parse the values of --limit (a struct tn_replay_limit) and --pool (an enum tn_target_kind) for a
// table of options. --streams is a choice, whose bool is true for "ignore".
struct argp_state;
struct tn_arg_option;
void tn_replay_parse_limit(struct argp_state *state, const struct tn_arg_option *option, char *text,
                           void *input);
void tn_replay_parse_pool(struct argp_state *state, const struct tn_arg_option *option, char *text,
                          void *input);
#define TN_REPLAY_STREAMS "honour|ignore"
// Returns the bytes of a limit; 0 means none.
uint64_t tn_replay_limit_bytes(const struct tn_replay_limit *limit, uint64_t peak_live);

// The totals of a replay, summed over the devices of the trace: X(name, "text"). This list
// generates both the struct and the JSON.
#define TN_TOTALS_LIST(X)                                                                          \
    X(events, "events of the trace, those of segments and marks included")                         \
    X(allocations, "allocations among them")                                                       \
    X(frees, "frees among them")                                                                   \
    X(marks, "marks and refused allocations among them")                                           \
    X(starting_blocks, "blocks that were live before the first event")                             \
    X(peak_live_bytes, "highest sum of requested bytes of live blocks")                            \
    X(peak_used_bytes, "highest sum of their sizes under the rule")                                \
    X(peak_reserved_bytes, "highest number of physical bytes allocated from the device; FIXED: "   \
                           "the reach")                                                            \
    X(largest_free_at_peak, "largest free block at the peak of live bytes")                        \
    X(bookkeeping_bytes, "host memory of the pool's records")                                      \
    X(planned, "PLANNED: requests that got their place, as for the next five")                     \
    X(unplanned, "large requests that the plan does not have")                                     \
    X(late, "requests whose place was taken")                                                      \
    X(planned_bytes, "bytes of the requests in `planned`")                                         \
    X(unplanned_bytes, "bytes of the requests in `unplanned`")                                     \
    X(late_bytes, "bytes of the requests in `late`")

struct tn_totals {
#define TN_TOTALS_FIELD(name, text) uint64_t name;
    TN_TOTALS_LIST(TN_TOTALS_FIELD)
    struct tn_work work;
};

// One repetition, summed over the devices of the trace.
struct tn_pass {
    uint64_t peak_held_bytes;
    struct tn_work work;
};

// Only the first repetitions are recorded one by one.
enum { TN_PASSES = 64 };

// The state at a mark of the trace.
struct tn_mark {
    const char *label; // owned by the trace; NULL for an allocation that was refused
    uint64_t refused;  // its bytes
    uint32_t device;   // as recorded
    uint64_t event;
    uint64_t time_us;
    uint64_t live;
    uint64_t held;
    uint64_t driver_calls;
};

enum { TN_CURVE_PARTS = 1000 };

// The held bytes over the events of a device, which are divided into equal parts, at most
// TN_CURVE_PARTS. The first number is the peak before the first event, the others are the peaks of the
// parts. A replay that failed lacks those from the failure on.
struct tn_curve {
    uint64_t *held;
    size_t count;
};

// The failure that ended a replay. TN_EXIT_OK means that there was none.
struct tn_failure {
    enum tn_exit exit_code;
    tarn_status status;
    char message[TN_MESSAGE];
    bool at_event;  // the fields below are known
    uint64_t pass;  // counted from 1, as is the event
    uint64_t event; // 0 is a block that was live before
    uint64_t where; // line of a text trace, or index in the device's list of a snapshot
    uint64_t asked; // bytes
    uint64_t live;
    tarn_pool_report report; // of the allocation that was refused
};

struct tn_replay {
    const char *path;
    const char *device;
    enum tn_target_kind kind;
    const struct tn_replay_options *options;
    const struct tn_trace *trace; // NULL if it could not be read
    bool reports;                 // its events are steps of the progress
    struct tn_failure failure;
    struct tn_totals totals;
    uint64_t layout;      // a hash of the places of all blocks, relative to the first one
    uint64_t limit_bytes; // summed over the devices; 0 means no limit
    struct tn_pass passes[TN_PASSES];
    size_t pass_count;
    // The recording includes the peak of its own allocator and its calls, summed over devices:
    bool says_reserved;
    uint64_t recorded_reserved;
    struct tn_trace_calls recorded_calls;
    uint64_t recorded_ns;            // their time in the device's cost model
    uint64_t timer_ns;               // subtracted from each measured duration
    struct tn_histogram alloc_times; // of the calls for events of the trace
    struct tn_histogram free_times;
    uint64_t untimed_ns; // of the passes that measure only the total
    uint64_t untimed_calls;
    struct tn_curve *curves; // by device of the trace; NULL unless requested
    struct tn_mark *marks;   // NULL unless verbose
    size_t mark_count;
    size_t mark_room;
};

// Makes a replay, or ends the process without memory.
struct tn_replay *tn_replay_create(const char *path, const char *device, enum tn_target_kind kind,
                                   const struct tn_replay_options *options);
// Releases what tn_replay_create() made.
void tn_replay_free(struct tn_replay *replay);

// Replays the trace, which the caller has set, on the devices from `device` on. Failures are in
// replay->failure. The replay is a phase of the progress, which ends at `until`.
void tn_replay_run(struct tn_replay *replay, tarn_device *device, double until);
// The same for one device of the trace, on `device`, within a phase of the caller.
void tn_replay_run_device(struct tn_replay *replay, const struct tn_trace_device *part,
                          tarn_device *device);

// Records the failure, with the text of the library's last error if there is one.
void tn_replay_fail(struct tn_replay *replay, enum tn_exit exit_code, tarn_status status,
                    const char *format, ...) TARN_PRINTF(4, 5);

// Returns peak live / peak reserved, or 0 if nothing was reserved.
double tn_replay_utilisation(const struct tn_replay *replay);
// Returns allocations and frees per second, or 0 if not measured.
double tn_replay_throughput(const struct tn_replay *replay);

// The table: a heading, then for each trace a line, a row for each replay and a row for the
// recording's own allocator. A legend comes at the end.
void tn_table_heading(const struct tn_replay_options *options, const char *device);
void tn_table_trace(const struct tn_replay *replay);
void tn_table_replay(const struct tn_replay *replay);
void tn_table_recording(const struct tn_replay *replay);
void tn_table_legend(uint64_t timer_ns);

// The first contradictions of the recording, as a list.
json_t *tn_json_notes(const struct tn_trace *trace);

// The JSON: an object with the result, or with the known part and an "error". The caller owns it.
// NULL means out of memory.
json_t *tn_json_replay(const struct tn_replay *replay);
