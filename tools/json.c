// SPDX-License-Identifier: Apache-2.0
// Describes replays as JSON. It prints nothing. One thread.
#include <stdlib.h>

#include "replay.h"

static void set_number(json_t *object, const char *key, uint64_t value) {
    (void)json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_text(json_t *object, const char *key, const char *value) {
    // Paths and labels may not be UTF-8, which JSON requires.
    json_t *text = json_string(value);
    (void)json_object_set_new(object, key, text != NULL ? text : json_string("(not UTF-8)"));
}

static void set_options(json_t *object, const struct tn_replay *replay) {
    const struct tn_replay_options *options = replay->options;
    set_text(object, "trace", replay->path);
    set_text(object, "device", replay->device);
    set_text(object, "pool", tn_target_name(replay->kind));
    set_text(object, "rule", options->rule_name);
    set_number(object, "scale", options->scale);
    set_number(object, "repeat", options->repeat);
    set_number(object, "limit_bytes", replay->limit_bytes);
    set_number(object, "soft_limit_bytes", options->settings.soft_limit);
    set_number(object, "segment_bytes", options->settings.segment_bytes);
    set_number(object, "page_bytes", options->settings.page_bytes);
    set_text(object, "streams_option", options->ignore_streams ? "ignore" : "honour");
    (void)json_object_set_new(object, "touch", json_boolean(options->touch));
}

static void set_trace(json_t *object, const struct tn_trace *trace) {
    json_t *notes = json_array();
    set_text(object, "format", tn_trace_format_name(trace->format));
    set_number(object, "devices", tn_trace_accelerators(trace));
    set_number(object, "streams", trace->stream_count);
    for (size_t i = 0; i < TN_TRACE_NOTES; i++)
        if (trace->notes[i] != NULL)
            (void)json_array_append_new(notes, json_string(trace->notes[i]));
    set_number(object, "contradictions", trace->note_count);
    (void)json_object_set_new(object, "contradictions_first", notes);
}

static void set_times(json_t *object, const struct tn_replay *replay) {
    set_number(object, "ns_per_alloc_median", tn_histogram_quantile(&replay->alloc_times, 500));
    set_number(object, "ns_per_alloc_p99", tn_histogram_quantile(&replay->alloc_times, 990));
    set_number(object, "ns_per_free_median", tn_histogram_quantile(&replay->free_times, 500));
    set_number(object, "ns_per_free_p99", tn_histogram_quantile(&replay->free_times, 990));
    set_number(object, "ns_timer_subtracted", replay->timer_ns);
    (void)json_object_set_new(object, "calls_per_second", json_real(tn_replay_throughput(replay)));
}

static void set_work(json_t *object, const struct tn_work *work) {
#define SET(name, text) set_number(object, #name, work->name);
    TN_WORK_LIST(SET)
#undef SET
}

static void set_totals(json_t *object, const struct tn_replay *replay) {
#define SET(name, text) set_number(object, #name, replay->totals.name);
    TN_TOTALS_LIST(SET)
#undef SET
    set_work(object, &replay->totals.work);
    if (replay->kind == TN_TARGET_FIXED)
        set_number(object, "reach_bytes", replay->totals.peak_reserved_bytes);
    (void)json_object_set_new(object, "utilisation", json_real(tn_replay_utilisation(replay)));
    if (!replay->says_reserved)
        return;
    const struct tn_trace_calls *calls = &replay->recorded_calls;
    set_number(object, "recorded_peak_reserved_bytes", replay->recorded_reserved);
    set_number(object, "recorded_segment_events", calls->segment_events);
    set_number(object, "recorded_starting_segments", calls->starting_segments);
    set_number(object, "recorded_virtual_ns", replay->recorded_ns);
}

static void set_passes(json_t *object, const struct tn_replay *replay) {
    json_t *passes = json_array();
    for (size_t i = 0; i < replay->pass_count; i++) {
        json_t *entry = json_object();
        set_number(entry, "peak_held_bytes", replay->passes[i].peak_held_bytes);
        set_work(entry, &replay->passes[i].work);
        (void)json_array_append_new(passes, entry);
    }
    (void)json_object_set_new(object, "passes", passes);
}

static void set_marks(json_t *object, const struct tn_replay *replay) {
    json_t *marks = json_array();
    for (size_t i = 0; i < replay->mark_count; i++) {
        const struct tn_mark *mark = &replay->marks[i];
        json_t *entry = json_object();
        if (mark->label != NULL)
            set_text(entry, "label", mark->label);
        else
            set_number(entry, "refused_bytes", mark->refused);
        set_number(entry, "device", mark->device);
        set_number(entry, "event", mark->event);
        set_number(entry, "time_us", mark->time_us);
        set_number(entry, "live_bytes", mark->live);
        set_number(entry, "reserved_bytes", mark->held);
        set_number(entry, "driver_calls", mark->driver_calls);
        (void)json_array_append_new(marks, entry);
    }
    (void)json_object_set_new(object, "mark_states", marks);
}

static void set_report(json_t *error, const tarn_pool_report *report) {
    set_text(error, "cause", report->cause_name);
    set_number(error, "free_bytes", report->free_bytes);
    set_number(error, "largest_free_bytes", report->largest_free);
    set_number(error, "movable_bytes", report->movable_bytes);
    set_number(error, "waiting_bytes", report->waiting_bytes);
    set_number(error, "cached_bytes", report->cached_bytes);
    set_number(error, "held_bytes", report->held_bytes);
    set_number(error, "limit_bytes", report->limit);
    set_number(error, "others_bytes", report->others_bytes);
}

static void set_error(json_t *object, const struct tn_failure *failure) {
    json_t *error = json_object();
    set_number(error, "exit_code", (uint64_t)failure->exit_code);
    set_text(error, "status", tarn_status_name(failure->status));
    set_text(error, "message", failure->message);
    if (failure->at_event) {
        set_number(error, "event", failure->event);
        set_number(error, "position", failure->where);
        set_number(error, "asked_bytes", failure->asked);
        set_number(error, "live_bytes", failure->live);
        set_report(error, &failure->report);
    }
    (void)json_object_set_new(object, "error", error);
}

json_t *tn_json_replay(const struct tn_replay *replay) {
    json_t *object = json_object();
    if (object == NULL)
        return NULL;
    set_options(object, replay);
    if (replay->trace != NULL) {
        set_trace(object, replay->trace);
        set_totals(object, replay);
        set_times(object, replay);
        set_passes(object, replay);
        if (replay->options->verbose)
            set_marks(object, replay);
    }
    if (replay->failure.exit_code != TN_EXIT_OK)
        set_error(object, &replay->failure);
    return object;
}
