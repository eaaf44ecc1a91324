// SPDX-License-Identifier: Apache-2.0
// Computes the facts of an explanation; see explain.h. The analyses themselves are in src/trace.
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "tools/explain/explain.h"
#include "tools/progress.h"
#include "trace/builder.h"

// ---- choices: the device and the moment

static bool has_failure(const struct tn_trace *trace, const struct tn_trace_device *device,
                        size_t *moment) {
    for (size_t i = 0; i < device->event_count; i++)
        if (trace->events[device->first_event + i].kind == TN_EVENT_FAILURE) {
            *moment = i;
            return true;
        }
    return false;
}

static tarn_status find_device(struct tn_explain *explain) {
    const struct tn_trace *trace = explain->trace;
    explain->device = tn_trace_find_device(trace, explain->options->device);
    TN_REFUSE(explain->device == NULL, TARN_BAD_ARGUMENT,
              "%s: no device %" PRIu64 ": the recording has %zu devices", explain->options->path,
              explain->options->device, tn_trace_accelerators(trace));
    return TARN_OK;
}

uint64_t tn_explain_peak(const struct tn_trace *trace, const struct tn_trace_device *device) {
    uint64_t peak = tn_trace_peak(trace, device).live;
    const struct tn_trace_sample *sample = tn_explain_peak_sample(trace, device);
    return sample != NULL && sample->live > peak ? sample->live : peak;
}

const struct tn_trace_sample *tn_explain_peak_sample(const struct tn_trace *trace,
                                                     const struct tn_trace_device *device) {
    const struct tn_trace_sample *samples = trace->samples + device->first_sample;
    const struct tn_trace_sample *peak = device->sample_count > 0 ? samples : NULL;
    for (size_t i = 0; i < device->sample_count; i++)
        peak = samples[i].live > peak->live ? &samples[i] : peak;
    return peak;
}

// Chooses the device with a failure, or else the one with the highest peak.
static tarn_status choose_device(struct tn_explain *explain) {
    const struct tn_trace *trace = explain->trace;
    uint64_t best = 0;
    size_t moment;
    if (explain->options->device != UINT64_MAX) return find_device(explain);
    for (size_t i = 0; i < trace->device_count && best < UINT64_MAX; i++) {
        const struct tn_trace_device *device = &trace->devices[i];
        bool fails = has_failure(trace, device, &moment);
        uint64_t rank = fails ? UINT64_MAX : tn_explain_peak(trace, device);
        if (explain->device == NULL || rank > best) {
            explain->device = device;
            best = rank;
        }
    }
    return TARN_OK;
}

static tarn_status choose_moment(struct tn_explain *explain, size_t *moment) {
    const struct tn_trace_device *device = explain->device;
    *moment = explain->levels.peak;
    explain->kind = TN_EXPLAIN_PEAK;
    if (explain->options->at != UINT64_MAX) {
        explain->kind = TN_EXPLAIN_EVENT;
        TN_REFUSE(explain->options->at > device->event_count, TARN_BAD_ARGUMENT,
                  "%s: no event %" PRIu64 ": device %" PRIu32 " has %zu", explain->options->path,
                  explain->options->at, device->number, device->event_count);
        *moment = (size_t)explain->options->at;
    } else if (has_failure(explain->trace, device, moment)) {
        explain->kind = TN_EXPLAIN_FAILURE;
    }
    return TARN_OK;
}

// ---- facts

static tarn_status make_set(const struct tn_explain *explain, const uint32_t *blocks, size_t count,
                            struct tn_explain_set *set) {
    TN_TRY(tn_holders_make(&explain->tables, TN_HOLD_BY_FUNCTION, blocks, count, &set->functions));
    return tn_holders_make(&explain->tables, TN_HOLD_BY_LINE, blocks, count, &set->lines);
}

static tarn_status make_holders(struct tn_explain *explain) {
    for (int kind = 0; kind < TN_HOLDER_KINDS; kind++)
        TN_TRY(tn_holders_make(&explain->tables, (enum tn_holder_kind)kind, explain->moment.blocks,
                               explain->moment.block_count, &explain->holders[kind]));
    TN_TRY(make_set(explain, explain->leak.blocks, explain->leak.block_count, &explain->grown));
    return tn_roles_make(&explain->tables, &explain->moment, &explain->roles);
}

static tarn_status make_kept(struct tn_explain *explain) {
    const struct tn_trace_device *device = explain->device;
    size_t count = 0;
    uint32_t *kept = (uint32_t *)calloc(device->event_count + 1, sizeof *kept);
    TN_REFUSE(kept == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the blocks at the end");
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &explain->trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC && explain->lives[event->item].freed == TN_NEVER)
            kept[count++] = event->item;
    }
    tarn_status status = make_set(explain, kept, count, &explain->kept);
    free(kept);
    return status;
}

// Makes the moment `at`, and its fragments if it has places.
static tarn_status measure_moment(const struct tn_explain *explain, size_t at,
                                  struct tn_moment *moment, struct tn_fragments *fragments) {
    TN_TRY(tn_moment_make(explain->trace, explain->device, explain->lives, at, moment));
    return moment->has_places ? tn_fragments_make(moment, fragments) : TARN_OK;
}

static tarn_status judge_failures(struct tn_explain *explain) {
    struct tn_moment moment = {0};
    struct tn_fragments fragments = {0};
    size_t at;
    explain->failures = tn_trace_count(explain->trace, explain->device, TN_EVENT_FAILURE);
    if (!has_failure(explain->trace, explain->device, &at)) return TARN_OK;
    tarn_status status = measure_moment(explain, at, &moment, &fragments);
    if (status == TARN_OK)
        tn_verdict_make(&moment, moment.has_places ? &fragments : NULL, &explain->verdict);
    tn_fragments_release(&fragments);
    tn_moment_release(&moment);
    return status;
}

// Counts the segments that were taken with the size of one returned. Both lists are sorted.
static uint64_t count_equal(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    uint64_t equal = 0;
    size_t i = 0, k = 0;
    while (i < a_count && k < b_count) {
        uint64_t left = a[i], right = b[k];
        equal += left == right;
        i += left <= right;
        k += right <= left;
    }
    return equal;
}

static tarn_status count_calls(struct tn_explain *explain) {
    const struct tn_trace *trace = explain->trace;
    const struct tn_trace_device *device = explain->device;
    struct tn_explain_calls *calls = &explain->calls;
    uint64_t *sizes = (uint64_t *)calloc(2 * device->event_count + 1, sizeof *sizes);
    TN_REFUSE(sizes == NULL, TARN_NO_HOST_MEMORY, "out of host memory for the sizes of segments");
    uint64_t *returned = sizes + device->event_count;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_SEGMENT) {
            sizes[calls->taken++] = trace->segments[event->item].bytes;
            calls->taken_bytes += trace->segments[event->item].bytes;
        } else if (event->kind == TN_EVENT_SEGMENT_RETURN) {
            returned[calls->returned++] = trace->segments[event->item].bytes;
            calls->returned_bytes += trace->segments[event->item].bytes;
        }
    }
    tn_numbers_sort(sizes, calls->taken, sizeof *sizes, 1);
    tn_numbers_sort(returned, calls->returned, sizeof *returned, 1);
    calls->again = count_equal(sizes, calls->taken, returned, calls->returned);
    free(sizes);
    return TARN_OK;
}

// ---- the whole recording

static tarn_status judge_end(const struct tn_explain *explain, struct tn_explain_course *course) {
    const struct tn_levels *levels = &explain->levels;
    struct tn_moment end = {0};
    struct tn_fragments fragments = {0};
    size_t last = levels->count - 1;
    if (levels->reserved == NULL) return TARN_OK;
    tarn_status status = measure_moment(explain, last, &end, &fragments);
    course->end_private = fragments.private_free;
    if (levels->reserved[last] > levels->live[last])
        course->end_idle = levels->reserved[last] - levels->live[last];
    tn_fragments_release(&fragments);
    tn_moment_release(&end);
    return status;
}

// A pool that grows or shrinks page by page has many events of segments, which are no time.
static uint64_t usual_idle(const struct tn_explain *explain) {
    const struct tn_levels *levels = &explain->levels;
    size_t halves = 0, all = 0;
    double idle = 0;
    for (size_t i = 1; i < levels->count && levels->reserved != NULL; i++) {
        uint32_t kind = explain->trace->events[explain->device->first_event + i - 1].kind;
        uint64_t reserved = levels->reserved[i], live = levels->live[i];
        if (kind != TN_EVENT_ALLOC && kind != TN_EVENT_FREE) continue;
        all++;
        if (reserved == 0 || live > reserved / 2) continue;
        halves++;
        idle += (double)(reserved - live);
    }
    return halves > all / 2 ? (uint64_t)(idle / (double)halves) : 0;
}

// Blocks of one function grow if each quarter of the events has some, at least four in all, while as
// many others come and go. The function with the most bytes that are never freed counts.
static void find_growth(const struct tn_explain *explain, struct tn_explain_course *course) {
    const struct tn_trace_device *device = explain->device;
    const struct tn_holders *kept = &explain->kept.functions;
    size_t quarters[4] = {0}, freed = 0;
    if (kept->count == 0 || kept->list[0].key == 0) return;
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &explain->trace->events[device->first_event + i];
        freed += event->kind == TN_EVENT_FREE;
        if (event->kind == TN_EVENT_ALLOC && explain->lives[event->item].freed == TN_NEVER &&
            explain->owners.functions[explain->trace->blocks[event->item].stack] ==
                kept->list[0].key)
            quarters[4 * i / device->event_count]++;
    }
    size_t count = quarters[0] + quarters[1] + quarters[2] + quarters[3];
    for (int i = 0; i < 4; i++)
        if (quarters[i] == 0) return;
    if (freed < count) return;
    course->grown = kept->list[0].bytes;
}

static uint64_t unknown_before(const struct tn_explain *explain) {
    const struct tn_moment *moment = &explain->moment;
    uint64_t bytes = 0;
    for (size_t i = 0; i < moment->block_count; i++) {
        const struct tn_block *block = &moment->trace->blocks[moment->blocks[i]];
        if (explain->lives[moment->blocks[i]].born == 0 && block->stack == 0) bytes += block->size;
    }
    return bytes;
}

static tarn_status judge_course(struct tn_explain *explain) {
    struct tn_explain_course *course = &explain->course;
    const struct tn_levels *levels = &explain->levels;
    course->reserved = levels->reserved != NULL ? levels->reserved[levels->peak_reserved]
                                                : levels->live[levels->peak];
    course->usual_idle = usual_idle(explain);
    course->before = unknown_before(explain);
    // Without marks, a repetition may not be a step, so a leak looks like any other growth.
    if (explain->leak.reason >= TN_LEAK_NO_STEPS && explain->steps.kind != TN_STEPS_BY_MARKS)
        find_growth(explain, course);
    return judge_end(explain, course);
}

enum { PARTS = 10 }; // of an explanation

static tarn_status end_part(tarn_status status) {
    tn_progress_step(1);
    return status;
}

static tarn_status make_tables(struct tn_explain *explain) {
    explain->lives = tn_lives_make(explain->trace);
    TN_REFUSE(explain->lives == NULL, TARN_NO_HOST_MEMORY,
              "out of host memory for the lives of %zu blocks", explain->trace->block_count);
    TN_TRY(end_part(
        tn_owners_make_by(explain->trace, explain->options->all_frames, &explain->owners)));
    TN_TRY(end_part(tn_levels_make(explain->trace, explain->device, &explain->levels)));
    TN_TRY(end_part(tn_phases_make(explain->trace, explain->device, &explain->phases)));
    TN_TRY(tn_steps_make(explain->trace, explain->device, &explain->levels, &explain->steps));
    explain->tables =
        (struct tn_tables){explain->trace,   explain->device,  explain->lives, &explain->owners,
                           &explain->phases, &explain->levels, &explain->steps};
    return end_part(tn_leak_judge(&explain->tables, &explain->leak));
}

tarn_status tn_explain_make(const struct tn_trace *trace, const struct tn_explain_options *options,
                            struct tn_explain *explain) {
    size_t at = 0;
    *explain = (struct tn_explain){.options = options, .trace = trace};
    tn_progress_phase("analysing", options->replays ? 0.6 : 1, PARTS);
    TN_TRY(end_part(choose_device(explain)));
    explain->is_state = tn_trace_count(trace, explain->device, TN_EVENT_ALLOC) +
                            tn_trace_count(trace, explain->device, TN_EVENT_FAILURE) ==
                        0;
    TN_TRY(make_tables(explain));
    TN_TRY(end_part(choose_moment(explain, &at)));
    TN_TRY(end_part(measure_moment(explain, at, &explain->moment, &explain->fragments)));
    TN_TRY(end_part(make_holders(explain)));
    TN_TRY(end_part(make_kept(explain)));
    TN_TRY(end_part(count_calls(explain)));
    TN_TRY(judge_course(explain));
    return judge_failures(explain);
}

void tn_explain_release(struct tn_explain *explain) {
    for (int i = 0; i < TN_QUESTIONS; i++) free(explain->answers[i]);
    for (int kind = 0; kind < TN_HOLDER_KINDS; kind++) tn_holders_release(&explain->holders[kind]);
    tn_holders_release(&explain->grown.functions);
    tn_holders_release(&explain->grown.lines);
    tn_holders_release(&explain->kept.functions);
    tn_holders_release(&explain->kept.lines);
    tn_fragments_release(&explain->fragments);
    tn_moment_release(&explain->moment);
    tn_leak_release(&explain->leak);
    tn_steps_release(&explain->steps);
    tn_phases_release(&explain->phases);
    tn_levels_release(&explain->levels);
    tn_owners_release(&explain->owners);
    free(explain->lives);
    *explain = (struct tn_explain){0};
}
