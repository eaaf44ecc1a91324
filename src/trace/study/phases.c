// SPDX-License-Identifier: Apache-2.0
// Lists phases; see phases.h. An end belongs to the innermost open phase of its name.
#include "trace/study/phases.h"

#include <string.h>

#include "base/error.h"

#define OPEN UINT32_MAX

struct opened {
    struct tn_phases *phases;
    uint32_t *last; // by text: number of the last open phase of this name plus 1, or 0. Its
                    // `parent` is the open phase of this name before it
    bool nested;    // phases have ends
};

static void begin_phase(struct opened *opened, uint32_t name, uint32_t moment) {
    struct tn_phases *phases = opened->phases;
    if (!opened->nested && phases->count > 0) phases->spans[phases->count - 1].end = moment;
    phases->spans[phases->count++] = (struct tn_phase_span){
        .name = name, .begin = moment, .end = OPEN, .parent = opened->last[name]};
    opened->last[name] = (uint32_t)phases->count;
}

static void end_phase(struct opened *opened, uint32_t name, uint32_t moment) {
    if (opened->last[name] == 0) return;
    struct tn_phase_span *span = &opened->phases->spans[opened->last[name] - 1];
    span->end = moment;
    opened->last[name] = span->parent;
}

// Ends the last open phase of each name with the recording, and removes the other marks that never
// ended, and those of snapshots, which are instants.
static void close_phases(struct opened *opened, const struct tn_trace *trace, uint32_t end) {
    struct tn_phases *phases = opened->phases;
    size_t kept = 0;
    for (size_t i = 0; i < phases->count; i++) {
        struct tn_phase_span span = phases->spans[i];
        bool instant =
            trace->origin == TN_TRACE_SNAPSHOT && strcmp(trace->texts[span.name], "snapshot") == 0;
        if (span.end == OPEN && (instant || opened->last[span.name] != i + 1)) continue;
        span.end = span.end == OPEN ? end : span.end;
        phases->spans[kept++] = span;
    }
    phases->count = kept;
}

// Finds the innermost phase of each moment, and the parent of each phase.
static void nest_phases(struct tn_phases *phases, size_t moments) {
    uint32_t inner = 0;
    size_t next = 0;
    for (uint32_t moment = 0; moment < moments; moment++) {
        while (inner != 0 && phases->spans[inner - 1].end <= moment)
            inner = phases->spans[inner - 1].parent;
        for (; next < phases->count && phases->spans[next].begin <= moment; next++) {
            phases->spans[next].parent = inner;
            if (phases->spans[next].end > moment) inner = (uint32_t)next + 1;
        }
        phases->at[moment] = inner;
    }
}

static void list_phases(struct opened *opened, const struct tn_trace *trace,
                        const struct tn_trace_device *device) {
    for (size_t i = 0; i < device->event_count; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_MARK)
            begin_phase(opened, event->item, (uint32_t)(i + 1));
        else if (event->kind == TN_EVENT_MARK_END)
            end_phase(opened, event->item, (uint32_t)(i + 1));
    }
    close_phases(opened, trace, (uint32_t)(device->event_count + 1));
    nest_phases(opened->phases, device->event_count + 1);
}

tarn_status tn_phases_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                           struct tn_phases *phases) {
    struct tn_phases made = {0};
    struct opened opened = {.phases = &made,
                            .nested = trace->origin == TN_TRACE_SNAPSHOT ||
                                      tn_trace_count(trace, device, TN_EVENT_MARK_END) > 0};
    size_t marks = tn_trace_count(trace, device, TN_EVENT_MARK);
    TN_TAKE(&made.memory, made.spans, marks);
    TN_TAKE(&made.memory, made.at, device->event_count);
    TN_TAKE(&made.memory, opened.last, trace->text_count);
    if (!made.memory.failed) {
        list_phases(&opened, trace, device);
        *phases = made;
        return TARN_OK;
    }
    tn_phases_release(&made);
    return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for %zu phases", marks);
}

void tn_phases_release(struct tn_phases *phases) {
    tn_scratch_release(&phases->memory);
    *phases = (struct tn_phases){0};
}
