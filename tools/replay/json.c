// SPDX-License-Identifier: Apache-2.0
// Describes replays as JSON. It prints nothing. One thread.

#include "tools/replay/replay.h"
#include "tools/result.h"

static void set_options(json_t *object, const struct tn_replay *replay) {
    const struct tn_replay_options *options = replay->options;
    tn_member_text(object, "trace", replay->path);
    tn_member_text(object, "device", replay->device);
    tn_member_text(object, "pool", tn_target_name(replay->kind));
    tn_member_text(object, "rule", options->rule_name);
    if (options->plan != NULL) tn_member_text(object, "plan", options->plan);
    tn_member_number(object, "scale", options->scale);
    tn_member_number(object, "repeat", options->repeat);
    tn_member_number(object, "limit_bytes", replay->limit_bytes);
    tn_member_number(object, "segment_bytes", options->settings.segment_bytes);
    tn_member_number(object, "page_bytes", options->settings.page_bytes);
    tn_member_text(object, "streams_option", options->ignore_streams ? "ignore" : "honour");
    tn_member_set(object, "touch", json_boolean(options->touch));
}

json_t *tn_json_notes(const struct tn_trace *trace) {
    json_t *notes = json_array();
    for (size_t i = 0; i < TN_TRACE_NOTES; i++)
        if (trace->notes[i] != NULL) tn_list_add(notes, json_string(trace->notes[i]));
    return notes;
}

static void set_times(json_t *object, const struct tn_replay *replay) {
    tn_member_number(object, "ns_per_alloc_median",
                     tn_histogram_quantile(&replay->alloc_times, 500));
    tn_member_number(object, "ns_per_alloc_p99", tn_histogram_quantile(&replay->alloc_times, 990));
    tn_member_number(object, "ns_per_free_median", tn_histogram_quantile(&replay->free_times, 500));
    tn_member_number(object, "ns_per_free_p99", tn_histogram_quantile(&replay->free_times, 990));
    tn_member_number(object, "ns_timer_subtracted", replay->timer_ns);
    tn_member_set(object, "calls_per_second", json_real(tn_replay_throughput(replay)));
}

static void set_work(json_t *object, const struct tn_work *work) {
#define SET(name, text) tn_member_number(object, #name, work->name);
    TN_WORK_LIST(SET)
#undef SET
}

static void set_totals(json_t *object, const struct tn_replay *replay) {
#define SET(name, text) tn_member_number(object, #name, replay->totals.name);
    TN_TOTALS_LIST(SET)
#undef SET
    set_work(object, &replay->totals.work);
    if (replay->kind == TN_TARGET_FIXED)
        tn_member_number(object, "reach_bytes", replay->totals.peak_reserved_bytes);
    tn_member_set(object, "utilisation", json_real(tn_replay_utilisation(replay)));
    if (!replay->says_reserved) return;
    const struct tn_trace_calls *calls = &replay->recorded_calls;
    tn_member_number(object, "recorded_peak_reserved_bytes", replay->recorded_reserved);
    tn_member_number(object, "recorded_segment_events", calls->segment_events);
    tn_member_number(object, "recorded_starting_segments", calls->starting_segments);
    tn_member_number(object, "recorded_virtual_ns", replay->recorded_ns);
}

static void set_passes(json_t *object, const struct tn_replay *replay) {
    json_t *passes = tn_member_list(object, "passes");
    for (size_t i = 0; i < replay->pass_count; i++) {
        json_t *entry = tn_list_object(passes);
        tn_member_number(entry, "peak_held_bytes", replay->passes[i].peak_held_bytes);
        set_work(entry, &replay->passes[i].work);
    }
}

static void set_marks(json_t *object, const struct tn_replay *replay) {
    json_t *marks = tn_member_list(object, "mark_states");
    for (size_t i = 0; i < replay->mark_count; i++) {
        const struct tn_mark *mark = &replay->marks[i];
        json_t *entry = tn_list_object(marks);
        if (mark->label != NULL)
            tn_member_text(entry, "label", mark->label);
        else
            tn_member_number(entry, "refused_bytes", mark->refused);
        tn_member_number(entry, "device", mark->device);
        tn_member_number(entry, "event", mark->event);
        tn_member_number(entry, "time_us", mark->time_us);
        tn_member_number(entry, "live_bytes", mark->live);
        tn_member_number(entry, "reserved_bytes", mark->held);
        tn_member_number(entry, "driver_calls", mark->driver_calls);
    }
}

static void set_report(json_t *error, const tarn_pool_report *report) {
    tn_member_text(error, "cause", report->cause_name);
    tn_member_number(error, "free_bytes", report->free_bytes);
    tn_member_number(error, "largest_free_bytes", report->largest_free);
    tn_member_number(error, "movable_bytes", report->movable_bytes);
    tn_member_number(error, "waiting_bytes", report->waiting_bytes);
    tn_member_number(error, "cached_bytes", report->cached_bytes);
    tn_member_number(error, "held_bytes", report->held_bytes);
    tn_member_number(error, "limit_bytes", report->limit);
    tn_member_number(error, "others_bytes", report->others_bytes);
}

static void set_error(json_t *error, const struct tn_failure *failure) {
    tn_member_number(error, "exit_code", (uint64_t)failure->exit_code);
    tn_member_text(error, "status", tarn_status_name(failure->status));
    tn_member_text(error, "message", failure->message);
    if (failure->at_event) {
        tn_member_number(error, "pass", failure->pass);
        tn_member_number(error, "event", failure->event);
        tn_member_number(error, "position", failure->where);
        tn_member_number(error, "asked_bytes", failure->asked);
        tn_member_number(error, "live_bytes", failure->live);
        set_report(error, &failure->report);
    }
}

json_t *tn_json_replay(const struct tn_replay *replay) {
    json_t *object = json_object();
    set_options(object, replay);
    if (replay->trace != NULL) {
        tn_member_text(object, "format", tn_trace_format_name(replay->trace->format));
        tn_member_number(object, "devices", tn_trace_accelerators(replay->trace));
        tn_member_number(object, "streams", replay->trace->stream_count);
        tn_member_number(object, "contradictions", replay->trace->note_count);
        tn_member_set(object, "contradictions_first", tn_json_notes(replay->trace));
        set_totals(object, replay);
        set_times(object, replay);
        set_passes(object, replay);
        if (replay->options->verbose) set_marks(object, replay);
    }
    if (replay->failure.exit_code != TN_EXIT_OK)
        set_error(tn_member_object(object, "error"), &replay->failure);
    return object;
}
