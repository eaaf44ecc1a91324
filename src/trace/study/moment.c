// SPDX-License-Identifier: Apache-2.0
// Makes moments; see moment.h. Time is n log n in the events before the moment.
#include "trace/study/moment.h"

#include "base/error.h"
#include "trace/builder.h"
#include "trace/ranges.h"

static tarn_status fail_moment(const struct tn_moment *moment) {
    return tn_fail(TARN_NO_HOST_MEMORY, "out of host memory for the state after event %zu",
                   moment->at);
}

// ---- blocks

struct placed_block {
    uint64_t address, block; // sorted by these
};

static void add_if_live(struct tn_moment *moment, struct placed_block *placed, size_t block) {
    const struct tn_block *it = &moment->trace->blocks[block];
    const struct tn_life *life = &moment->lives[block];
    if (!tn_life_covers(life, moment->at)) return;
    placed[moment->block_count++] = (struct placed_block){it->id, block};
    moment->live += it->size;
    moment->occupied += tn_block_occupied(moment->trace, it);
    if (life->given <= moment->at) { // live, but only because streams may still use it
        moment->waiting += it->size;
        moment->waiting_count++;
    }
}

static tarn_status collect_blocks(struct tn_moment *moment) {
    const struct tn_trace_device *device = moment->device;
    size_t room = device->starting_count + moment->at + 1;
    struct placed_block *placed = (struct placed_block *)calloc(room, sizeof *placed);
    if (placed == NULL) return fail_moment(moment);
    for (size_t i = 0; i < device->starting_count; i++)
        add_if_live(moment, placed, device->first_starting + i);
    for (size_t i = 0; i < moment->at; i++) {
        const struct tn_event *event = &moment->trace->events[device->first_event + i];
        if (event->kind == TN_EVENT_ALLOC) add_if_live(moment, placed, event->item);
    }
    tn_numbers_sort(placed, moment->block_count, sizeof *placed, 2);
    moment->blocks = (uint32_t *)calloc(moment->block_count + 1, sizeof *moment->blocks);
    for (size_t i = 0; i < moment->block_count && moment->blocks != NULL; i++)
        moment->blocks[i] = (uint32_t)placed[i].block;
    free(placed);
    return moment->blocks != NULL ? TARN_OK : fail_moment(moment);
}

// ---- segments

static tarn_status replay_ranges(const struct tn_moment *moment, struct tn_interval *ranges) {
    const struct tn_trace *trace = moment->trace;
    const struct tn_trace_device *device = moment->device;
    for (size_t i = 0; i < device->starting_segment_count; i++) {
        size_t number = device->first_starting_segment + i;
        TN_TRY(tn_ranges_add(ranges, trace->segments[number].address, trace->segments[number].bytes,
                             number));
    }
    for (size_t i = 0; i < moment->at; i++) {
        const struct tn_event *event = &trace->events[device->first_event + i];
        if (event->kind != TN_EVENT_SEGMENT && event->kind != TN_EVENT_SEGMENT_RETURN) continue;
        const struct tn_trace_segment *segment = &trace->segments[event->item];
        if (event->kind == TN_EVENT_SEGMENT)
            TN_TRY(tn_ranges_add(ranges, segment->address, segment->bytes, event->item));
        else
            TN_TRY(tn_ranges_remove(ranges, segment->address, segment->bytes));
    }
    return TARN_OK;
}

static bool joins_segment(const struct tn_trace_segment *a, const struct tn_trace_segment *b) {
    return a->mapped && b->mapped && a->stream == b->stream && a->is_private == b->is_private &&
           a->address + a->bytes == b->address;
}

static tarn_status list_segments(struct tn_moment *moment, const struct tn_interval *ranges) {
    struct tn_interval_entry entry;
    size_t room = (size_t)tn_interval_count(ranges) + 1;
    moment->segments = (struct tn_trace_segment *)calloc(room, sizeof *moment->segments);
    if (moment->segments == NULL) return fail_moment(moment);
    struct tn_interval_cursor at = tn_interval_seek(ranges, 0);
    while (tn_interval_step(&at, &entry)) {
        struct tn_trace_segment segment = moment->trace->segments[entry.value];
        segment.address = entry.start;
        segment.bytes = entry.end - entry.start;
        moment->reserved += segment.bytes;
        struct tn_trace_segment *last =
            moment->segment_count > 0 ? &moment->segments[moment->segment_count - 1] : NULL;
        if (last != NULL && joins_segment(last, &segment))
            last->bytes += segment.bytes;
        else
            moment->segments[moment->segment_count++] = segment;
    }
    moment->has_places =
        moment->segment_count > 0 && (moment->trace->lacks & TN_TRACE_NO_ADDRESSES) == 0;
    return TARN_OK;
}

static tarn_status collect_segments(struct tn_moment *moment) {
    struct tn_interval ranges;
    tn_interval_init(&ranges);
    tarn_status status = replay_ranges(moment, &ranges);
    if (status == TARN_OK)
        status = list_segments(moment, &ranges);
    else if (status == TARN_BUSY) // the reader has added a note
        status = TARN_OK;
    else
        status = fail_moment(moment);
    tn_interval_fini(&ranges);
    return status;
}

tarn_status tn_moment_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                           const struct tn_life *lives, size_t at, struct tn_moment *moment) {
    struct tn_moment made = {.trace = trace, .device = device, .lives = lives, .at = at};
    tarn_status status = collect_blocks(&made);
    if (status == TARN_OK) status = collect_segments(&made);
    if (status != TARN_OK)
        tn_moment_release(&made);
    else
        *moment = made;
    return status;
}

void tn_moment_release(struct tn_moment *moment) {
    free(moment->blocks);
    free(moment->segments);
    *moment = (struct tn_moment){0};
}
