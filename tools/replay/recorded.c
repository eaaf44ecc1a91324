// SPDX-License-Identifier: Apache-2.0
// See recorded.h.
#include "tools/replay/recorded.h"

#include <stdlib.h>

#include <tarn/tarn.h>

struct pass {
    size_t from; // events of the trace, behind the mark that begins it
    size_t to;
    uint64_t hash; // of its requests
};

// Writes the passes between marks. Returns their number.
static size_t find_passes(const struct tn_trace *trace, const struct tn_trace_device *part,
                          struct pass *passes) {
    size_t count = 0;
    for (size_t i = part->first_event; i < part->first_event + part->event_count; i++) {
        const struct tn_event *event = &trace->events[i];
        if (event->kind == TN_EVENT_MARK) {
            passes[count++] = (struct pass){.from = i};
        } else if (event->kind == TN_EVENT_ALLOC && count > 0) {
            uint64_t size = trace->blocks[event->item].size;
            passes[count - 1].hash =
                (passes[count - 1].hash ^ size) * UINT64_C(0x9e3779b97f4a7c15) + 1;
        }
        if (count > 0) passes[count - 1].to = i + 1;
        if (event->kind == TN_EVENT_MARK && count > 1) passes[count - 2].to = i;
    }
    return count;
}

// Finds the first of the last two passes in a row that are equal and not empty. `passes` has room for all.
static bool find_pass(const struct tn_trace *trace, const struct tn_trace_device *part,
                      struct pass *passes, struct pass *found) {
    size_t count = find_passes(trace, part, passes);
    while (count > 1 &&
           (passes[count - 1].hash != passes[count - 2].hash || passes[count - 1].hash == 0))
        count--;
    if (count > 1) *found = passes[count - 2];
    return count > 1;
}

// Writes the requests of a range of events, and for a complete recording those before it.
static size_t list_requests(const struct tn_trace *trace, const struct tn_trace_device *part,
                            const struct tn_recorded_want *want, const struct pass *pass,
                            bool whole, uint32_t *numbers, tarn_plan_block *blocks) {
    size_t count = 0;
    for (size_t i = 0; whole && i < part->starting_count; i++) {
        size_t block = part->first_starting + i;
        numbers[block] = (uint32_t)count + 1;
        blocks[count++].bytes = trace->blocks[block].size;
    }
    for (size_t i = pass->from; i < part->first_event + part->event_count; i++) {
        const struct tn_event *event = &trace->events[i];
        uint64_t moment = i - pass->from + 1;
        if (event->kind == TN_EVENT_ALLOC && i < pass->to) {
            numbers[event->item] = (uint32_t)count + 1;
            blocks[count].begin = moment;
            blocks[count++].bytes = trace->blocks[event->item].size;
        } else if (event->kind == TN_EVENT_FREE && numbers[event->item] != 0) {
            blocks[numbers[event->item] - 1].end = moment;
        }
    }
    for (size_t block = 0; block < trace->block_count; block++) {
        if (numbers[block] == 0) continue;
        tarn_plan_block *b = &blocks[numbers[block] - 1];
        b->stream = want->ignore_streams ? 0 : trace->blocks[block].stream;
        if (b->end == 0) b->end = UINT64_MAX;
        if (__builtin_mul_overflow(b->bytes, want->scale, &b->bytes)) b->bytes = UINT64_MAX;
    }
    return count;
}

static tarn_status make_plan(const struct tn_trace *trace, const struct tn_trace_device *part,
                             const struct tn_recorded_want *want, uint32_t *numbers,
                             tarn_plan_block *blocks, struct pass *passes,
                             struct tn_recorded_plan *plan) {
    struct pass pass = {.from = part->first_event, .to = part->first_event + part->event_count};
    bool whole = !want->finds_pass || !find_pass(trace, part, passes, &pass);
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    desc.blocks = blocks;
    desc.count = list_requests(trace, part, want, &pass, whole, numbers, blocks);
    desc.rule = want->rule;
    desc.period = whole ? 0 : pass.to - pass.from + 1;
    desc.limit_ns = want->limit_ns;
    desc.limit_steps = want->limit_steps;
    desc.progress = want->progress;
    desc.arg = want->arg;
    plan->info.struct_size = sizeof plan->info;
    plan->first_event = pass.from - part->first_event;
    plan->end_event = pass.to - part->first_event;
    tarn_status status = tarn_plan_create(&desc, &plan->handle);
    return status == TARN_OK ? tarn_plan_query(plan->handle, &plan->info) : status;
}

tarn_status tn_recorded_plan_make(const struct tn_trace *trace, const struct tn_trace_device *part,
                                  const struct tn_recorded_want *want,
                                  struct tn_recorded_plan *plan) {
    uint32_t *numbers = (uint32_t *)calloc(trace->block_count + 1, sizeof *numbers);
    tarn_plan_block *blocks = (tarn_plan_block *)calloc(trace->block_count + 1, sizeof *blocks);
    struct pass *passes = (struct pass *)calloc(part->event_count + 1, sizeof *passes);
    tarn_status status = numbers != NULL && blocks != NULL && passes != NULL
                             ? make_plan(trace, part, want, numbers, blocks, passes, plan)
                             : TARN_NO_HOST_MEMORY;
    free(numbers);
    free(blocks);
    free(passes);
    return status;
}
