// SPDX-License-Identifier: Apache-2.0
// Runs one replay. Each device of the trace gets its own device. The first pass observes the memory
// and times every call. The last pass uses a new target and measures only the total time. See
// replay.h.
#include <inttypes.h>
#include <stdlib.h>

#include "tools/replay/cost.h"
#include "tools/replay/run.h"

enum { TICK = 1024, UNTIMED_PART = 65536 }; // events between two reports of progress

#define PLAN_STEPS (UINT64_C(1) << 27) // of the search of a plan

// ---- the demands of the trace, before anything is allocated

uint64_t tn_replay_limit_bytes(const struct tn_replay_limit *limit, uint64_t peak_live) {
    return limit->bytes + (uint64_t)(limit->factor * (double)peak_live);
}

static void plan_run(struct tn_replay_run *run) {
    struct tn_trace_peak peak = tn_trace_peak(run->trace, run->part);
    uint64_t scaled;
    run->peak_event = peak.moment > 0 ? run->part->first_event + peak.moment - 1 : TN_NO_EVENT;
    if (__builtin_mul_overflow(peak.live, run->scale, &scaled)) {
        tarn_clear_error();
        tn_replay_fail(run->replay, TN_EXIT_BAD_INPUT, TARN_BAD_ARGUMENT,
                       "%s: the live bytes after %zu events, times %" PRIu64 ", exceed 64 bits",
                       run->replay->path, peak.moment, run->scale);
        return;
    }
    run->limit = tn_replay_limit_bytes(&run->replay->options->limit, scaled);
    run->replay->limit_bytes += run->limit;
}

static bool is_mark(const struct tn_event *event) {
    return event->kind == TN_EVENT_MARK || event->kind == TN_EVENT_FAILURE;
}

static void count_events(struct tn_replay_run *run) {
    struct tn_totals *totals = &run->replay->totals;
    const struct tn_trace_device *part = run->part;
    totals->starting_blocks += part->starting_count;
    totals->events += part->event_count;
    totals->allocations += tn_trace_count(run->trace, part, TN_EVENT_ALLOC);
    totals->frees += tn_trace_count(run->trace, part, TN_EVENT_FREE);
    totals->marks += tn_trace_count(run->trace, part, TN_EVENT_MARK) +
                     tn_trace_count(run->trace, part, TN_EVENT_FAILURE);
}

// ---- passes

static void record_mark(struct tn_replay_run *run, size_t index) {
    struct tn_replay *replay = run->replay;
    const struct tn_event *event = &run->trace->events[index];
    bool refused = event->kind == TN_EVENT_FAILURE;
    struct tn_target_state state = {0};
    if (!replay->options->verbose || run->round > 0 || replay->mark_count == replay->mark_room ||
        !tn_replay_run_state(run, &state))
        return;
    replay->marks[replay->mark_count++] =
        (struct tn_mark){.label = refused ? NULL : run->trace->texts[event->item],
                         .refused = refused ? run->trace->failures[event->item].size : 0,
                         .device = run->part->number,
                         .event = tn_trace_event_number(run->trace, run->part, index),
                         .time_us = event->time_us,
                         .live = run->live,
                         .held = state.held,
                         .driver_calls = state.work.driver_calls};
}

// Runs all starting blocks and events once.
static void run_pass(struct tn_replay_run *run) {
    const struct tn_trace_device *part = run->part;
    for (size_t i = 0; i < part->starting_count && !tn_replay_run_failed(run); i++)
        tn_replay_run_allocate(run, (uint32_t)(part->first_starting + i), TN_NO_EVENT);
    tn_replay_run_extend_curve(run, 0);
    for (size_t i = 0; i < part->event_count && !tn_replay_run_failed(run); i++) {
        size_t index = part->first_event + i;
        const struct tn_event *event = &run->trace->events[index];
        if (event->kind == TN_EVENT_ALLOC)
            tn_replay_run_allocate(run, event->item, index);
        else if (event->kind == TN_EVENT_FREE)
            tn_replay_run_free(run, event->item, index);
        else if (is_mark(event))
            record_mark(run, index);
        tn_replay_run_extend_curve(run, i + 1);
        if (i % TICK == 0) tn_replay_run_report(run, TICK);
    }
}

static void add_totals(struct tn_replay_run *run) {
    struct tn_totals *totals = &run->replay->totals;
    struct tn_target_state state = {0};
    (void)tn_replay_run_state(run, &state);
    totals->peak_live_bytes += run->peak_live;
    totals->peak_used_bytes += state.peak_used;
    totals->peak_reserved_bytes += run->peak_held;
    totals->bookkeeping_bytes += state.pool.host_bytes;
    totals->planned += state.pool.planned;
    totals->unplanned += state.pool.unplanned;
    totals->late += state.pool.late;
    totals->planned_bytes += state.pool.planned_bytes;
    totals->unplanned_bytes += state.pool.unplanned_bytes;
    totals->late_bytes += state.pool.late_bytes;
#define ADD(name, text) totals->work.name += state.work.name;
    TN_WORK_LIST(ADD)
    if (run->largest_free_at_peak > totals->largest_free_at_peak)
        totals->largest_free_at_peak = run->largest_free_at_peak;
}

// Stops the run because a pool with a plan, or without one if `plan` is NULL, cannot be created.
static void refuse_pool(struct tn_replay_run *run, tarn_status status, const char *plan) {
    bool is_no_fit = tn_replay_run_is_no_fit(status);
    if (is_no_fit || status == TARN_NO_HOST_MEMORY) plan = NULL;
    tn_replay_fail(run->replay,
                   is_no_fit      ? TN_EXIT_NO_FIT
                   : plan != NULL ? TN_EXIT_BAD_INPUT
                                  : TN_EXIT_FAILED,
                   status, "the pool cannot be created%s%s", plan != NULL ? " with --plan " : "",
                   plan != NULL ? plan : "");
}

static bool open_target(struct tn_replay_run *run) {
    tarn_status status =
        tn_target_open(run->device, run->replay->kind, &run->settings, run->limit, &run->target);
    if (status != TARN_OK) refuse_pool(run, status, run->replay->options->plan);
    return status == TARN_OK;
}

static void close_target(struct tn_replay_run *run) {
    tarn_status status = tn_target_close(&run->target);
    if (status == TARN_CORRUPT)
        tn_replay_fail(run->replay, TN_EXIT_CORRUPT, status,
                       "%s: memory of the device was not freed", tn_target_name(run->replay->kind));
    else if (status != TARN_OK)
        tn_replay_fail(run->replay, TN_EXIT_FAILED, status, "%s: the pool cannot be destroyed",
                       tn_target_name(run->replay->kind));
}

// Runs all repetitions on one target, and verifies its records after each.
static void run_passes(struct tn_replay_run *run) {
    for (uint64_t i = 0; i < run->replay->options->repeat && !tn_replay_run_failed(run); i++) {
        tn_replay_run_begin_pass(run);
        run_pass(run);
        tarn_status status = tn_target_check(&run->target);
        if (status != TARN_OK)
            tn_replay_fail(run->replay, TN_EXIT_CORRUPT, status, "%s: the records are damaged",
                           run->replay->path);
        tn_replay_run_free_all(run);
        tn_replay_run_end_pass(run);
        run->round++;
    }
}

// Observes the memory. Also observes the times, unless blocks are touched: touching evicts cache
// lines that a program would otherwise find in the cache.
static void run_observed(struct tn_replay_run *run) {
    tarn_clear_error(); // an older one is none of the replay
    if (!open_target(run)) return;
    run->timing = !tn_replay_run_touches(run) && !run->replay->options->memory_only;
    run->observed = true;
    run_passes(run);
    run->observed = false;
    add_totals(run);
    close_target(run);
}

static void run_timed(struct tn_replay_run *run) {
    if (tn_replay_run_failed(run) || run->timing || !open_target(run)) return;
    run->timing = true;
    run_passes(run);
    close_target(run);
}

// Runs the events from `event` to `end` without timing each.
static void run_untimed_events(struct tn_replay_run *run, const struct tn_event *event,
                               const struct tn_event *end) {
    tarn_status status = TARN_OK;
    for (; event < end && status == TARN_OK; event++) {
        uint32_t item = event->item;
        if (event->kind != TN_EVENT_ALLOC && event->kind != TN_EVENT_FREE) continue;
        run->replay->untimed_calls++;
        if (event->kind == TN_EVENT_FREE) {
            status =
                tn_target_free(&run->target, tn_replay_run_size(run, item), run->addresses[item]);
            run->addresses[item] = 0;
            continue;
        }
        tarn_stream stream = run->streams[run->trace->blocks[item].stream];
        status = tn_target_alloc(&run->target, tn_replay_run_size(run, item), stream,
                                 &run->addresses[item]);
    }
    if (status != TARN_OK)
        tn_replay_fail(run->replay,
                       tn_replay_run_is_no_fit(status) ? TN_EXIT_NO_FIT : TN_EXIT_FAILED, status,
                       "%s: the second replay failed, the first did not", run->replay->path);
}

// Measures the events in parts, so that the progress between them is not measured.
static void run_untimed_pass(struct tn_replay_run *run) {
    const struct tn_event *event = run->trace->events + run->part->first_event;
    const struct tn_event *end = event + run->part->event_count;
    while (event < end && !tn_replay_run_failed(run)) {
        size_t count = end - event < UNTIMED_PART ? (size_t)(end - event) : UNTIMED_PART;
        uint64_t start = tn_timing_now();
        run_untimed_events(run, event, event + count);
        run->replay->untimed_ns += tn_timing_now() - start;
        tn_replay_run_report(run, count);
        event += count;
    }
}

static void run_untimed(struct tn_replay_run *run) {
    run->timing = false;
    if (tn_replay_run_failed(run) || !open_target(run)) return;
    for (uint64_t i = 0; i < run->replay->options->repeat && !tn_replay_run_failed(run); i++) {
        tn_replay_run_begin_pass(run);
        for (size_t k = 0; k < run->part->starting_count && !tn_replay_run_failed(run); k++)
            tn_replay_run_allocate(run, (uint32_t)(run->part->first_starting + k), TN_NO_EVENT);
        run_untimed_pass(run);
        tn_replay_run_free_all(run);
    }
    close_target(run);
}

// ---- one device of the trace

static void open_streams(struct tn_replay_run *run) {
    for (size_t i = 0; i < run->trace->stream_count && !tn_replay_run_failed(run); i++) {
        const struct tn_stream *stream = &run->trace->streams[i];
        if (&run->trace->devices[stream->device] != run->part) continue;
        tarn_status status = tarn_stream_create(run->device, &run->streams[i]);
        if (status != TARN_OK)
            tn_replay_fail(run->replay, TN_EXIT_FAILED, status, "a stream cannot be created");
    }
}

static void begin_touch(struct tn_replay_run *run) {
    if (!run->replay->options->touch || tn_replay_run_failed(run)) return;
    // A direct allocation has pages of its own, and the first access to each is a page fault. Fewer
    // words suffice there.
    uint64_t step = run->replay->kind == TN_TARGET_DIRECT ? 65536 : 4096;
    if (tn_touch_begin(&run->touch, run->device, step) != TARN_OK)
        tn_replay_fail(run->replay, TN_EXIT_FAILED, TARN_NO_HOST_MEMORY,
                       "out of memory for the pattern");
}

static void load_plan(struct tn_replay_run *run, const char *path) {
    tarn_status status = tarn_plan_load(path, &run->plan.handle);
    if (status != TARN_OK) refuse_pool(run, status, path);
    run->settings.plan = run->plan.handle;
}

static void make_plan(struct tn_replay_run *run) {
    const struct tn_replay_options *options = run->replay->options;
    const struct tn_recorded_want want = {
        .rule = options->settings.rule,
        .scale = run->scale,
        .limit_steps = options->plan_steps != 0 ? options->plan_steps : PLAN_STEPS,
        .ignore_streams = options->ignore_streams || run->trace->format == TN_TRACE_TEXT};
    bool planned = run->replay->kind == TN_TARGET_PLANNED;
    run->settings = options->settings;
    if (options->compare && !planned) {
        run->settings.plan = NULL;
        run->settings.learns = false;
    } else if (options->plan != NULL && !run->settings.learns) {
        load_plan(run, options->plan);
        return;
    }
    if (!planned || run->settings.plan != NULL || run->settings.learns) return;
    tarn_status status = tn_recorded_plan_make(run->trace, run->part, &want, &run->plan);
    if (status != TARN_OK)
        tn_replay_fail(run->replay, tn_exit_of(status, TN_EXIT_FAILED), status,
                       status == TARN_NO_HOST_MEMORY ? "%s: out of memory for a plan"
                                                     : "%s: the recording cannot be planned",
                       run->replay->path);
    run->settings.plan = run->plan.handle;
}

static void run_part(struct tn_replay_run *run) {
    plan_run(run);
    count_events(run);
    if (!tn_replay_run_failed(run)) make_plan(run);
    if (tn_replay_run_failed(run)) return;
    if (run->trace->format != TN_TRACE_TEXT && !run->replay->options->ignore_streams)
        open_streams(run);
    tn_interval_init(&run->claims);
    begin_touch(run);
    if (!tn_replay_run_failed(run)) run_observed(run);
    tn_touch_end(&run->touch);
    tn_interval_fini(&run->claims);
    if (!run->replay->options->memory_only) {
        run_timed(run);
        run_untimed(run);
    }
    for (size_t i = 0; i < run->trace->stream_count; i++)
        (void)tarn_stream_destroy(run->streams[i]);
}

// Adds the peak and the calls of the recorded allocator.
static void add_recorded(struct tn_replay *replay, const struct tn_trace_device *part,
                         tarn_device *device) {
    const struct tn_trace_calls *calls = &part->calls;
    struct tn_trace_calls *sum = &replay->recorded_calls;
    struct tn_cost cost;
    if (!part->says_reserved) return;
    if (!tn_cost_measure(device, &cost))
        tn_replay_fail(replay, TN_EXIT_FAILED, TARN_NO_HOST_MEMORY,
                       "out of memory for the costs of the device");
    replay->says_reserved = true;
    replay->recorded_reserved += part->reserved_peak;
    replay->recorded_ns += tn_cost_of_calls(&cost, calls);
    sum->allocs += calls->allocs;
    sum->creates += calls->creates;
    sum->segment_events += calls->segment_events;
    sum->starting_segments += calls->starting_segments;
}

void tn_replay_run_device(struct tn_replay *replay, const struct tn_trace_device *part,
                          tarn_device *device) {
    const struct tn_trace *trace = replay->trace;
    struct tn_replay_run run = {.replay = replay,
                                .trace = trace,
                                .part = part,
                                .device = device,
                                .scale = replay->options->scale};
    run.streams = (tarn_stream *)calloc(trace->stream_count + 1, sizeof *run.streams);
    run.addresses = (tarn_addr *)calloc(trace->block_count + 1, sizeof *run.addresses);
    if (run.streams != NULL && run.addresses != NULL)
        run_part(&run);
    else
        tn_replay_fail(replay, TN_EXIT_FAILED, TARN_NO_HOST_MEMORY, "out of memory for the replay");
    free(run.streams);
    free(run.addresses);
    tarn_plan_destroy(run.plan.handle);
    add_recorded(replay, part, device);
}

// The n-th device of the trace is replayed on the n-th device, counted from the named one.
static void run_device(struct tn_replay *replay, size_t index, tarn_device *first) {
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_device *device = NULL;
    tarn_status status = tarn_device_query(first, &info);
    if (status == TARN_OK) status = tarn_device_sibling(first, info.ordinal + (int)index, &device);
    if (status != TARN_OK) {
        tn_replay_fail(replay, TN_EXIT_BAD_INPUT, status,
                       "%s: the trace has %zu devices, and each needs one of its own (devices=N in "
                       "the name of the device makes more)",
                       replay->path, tn_trace_accelerators(replay->trace));
        return;
    }
    tn_replay_run_device(replay, &replay->trace->devices[index], device);
    (void)tarn_device_close(device);
}

static bool prepare_curves(struct tn_replay *replay) {
    size_t devices = tn_trace_accelerators(replay->trace);
    if (!replay->options->curves) return true;
    replay->curves = (struct tn_curve *)calloc(devices + 1, sizeof *replay->curves);
    for (size_t i = 0; replay->curves != NULL && i < devices; i++) {
        replay->curves[i].held =
            (uint64_t *)calloc(TN_CURVE_PARTS + 1, sizeof *replay->curves[i].held);
        if (replay->curves[i].held == NULL) return false;
    }
    return replay->curves != NULL;
}

static bool prepare_marks(struct tn_replay *replay) {
    if (!replay->options->verbose) return true;
    for (size_t i = 0; i < replay->trace->event_count; i++)
        replay->mark_room += is_mark(&replay->trace->events[i]);
    replay->marks = (struct tn_mark *)calloc(replay->mark_room + 1, sizeof *replay->marks);
    return replay->marks != NULL;
}

void tn_replay_run(struct tn_replay *replay, tarn_device *device, double until) {
    const struct tn_trace *trace = replay->trace;
    uint64_t events = 0;
    const uint64_t passes = replay->options->memory_only ? 1 : replay->options->touch ? 3 : 2;
    replay->timer_ns = tn_timing_cost();
    if (!prepare_marks(replay) || !prepare_curves(replay)) {
        tn_replay_fail(replay, TN_EXIT_FAILED, TARN_NO_HOST_MEMORY, "out of memory for the replay");
        return;
    }
    for (size_t i = 0; i < tn_trace_accelerators(trace); i++)
        events += trace->devices[i].event_count;
    tn_progress_phase(tn_target_name(replay->kind), until,
                      passes * events * replay->options->repeat);
    replay->reports = true;
    for (size_t i = 0; i < tn_trace_accelerators(trace); i++) {
        if (replay->failure.exit_code != TN_EXIT_OK) break;
        run_device(replay, i, device);
    }
}

struct tn_replay *tn_replay_create(const char *path, const char *device, enum tn_target_kind kind,
                                   const struct tn_replay_options *options) {
    struct tn_replay *replay = (struct tn_replay *)calloc(1, sizeof *replay);
    if (replay == NULL) {
        (void)tn_complain("out of memory");
        exit(TN_EXIT_NO_MEMORY);
    }
    replay->path = path;
    replay->device = device;
    replay->kind = kind;
    replay->options = options;
    return replay;
}

void tn_replay_free(struct tn_replay *replay) {
    for (size_t i = 0; replay->curves != NULL && i < tn_trace_accelerators(replay->trace); i++)
        free(replay->curves[i].held);
    free(replay->curves);
    free(replay->marks);
    free(replay);
}

double tn_replay_utilisation(const struct tn_replay *replay) {
    const struct tn_totals *totals = &replay->totals;
    return totals->peak_reserved_bytes == 0
               ? 0
               : (double)totals->peak_live_bytes / (double)totals->peak_reserved_bytes;
}

double tn_replay_throughput(const struct tn_replay *replay) {
    return replay->untimed_ns == 0
               ? 0
               : (double)replay->untimed_calls * 1e9 / (double)replay->untimed_ns;
}
