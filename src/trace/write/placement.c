// SPDX-License-Identifier: Apache-2.0
// Walks over the events of a device and places its blocks; see placement.h. Each walk fails with
// TARN_BUSY if the recording contradicts itself, and then the next kind of placement is tried.
#include "trace/write/placement.h"

#include <stdlib.h>
#include <string.h>

#include "algo/fit.h"
#include "base/error.h"
#include "trace/progress.h"
#include "trace/ranges.h"

// Made-up blocks begin at multiples of UNIT, made-up segments at multiples of PAGE.
enum { UNIT = 512, PAGE = 2 << 20 };

static const uint64_t made_base = UINT64_C(0x7f0000000000);

struct walk {
    const struct tn_trace *trace;
    const struct tn_trace_device *device;
    struct tn_placement *placement;
    // For a placement that is made up:
    tn_fit fit;
    uint32_t *nodes; // of each block
    uint64_t top;    // units in use at most
};

static tarn_status add_live(struct walk *walk, uint32_t block) {
    struct tn_placement *placement = walk->placement;
    return tn_ranges_add(&placement->live, placement->addresses[block],
                         walk->trace->blocks[block].size, block);
}

static tarn_status remove_live(struct walk *walk, uint32_t block) {
    walk->placement->waiting[block] = 0;
    (void)tn_interval_remove(&walk->placement->live, walk->placement->addresses[block], NULL);
    return TARN_OK;
}

// ---- recorded

static tarn_status keep_block(struct walk *walk, uint32_t index) {
    const struct tn_block *block = &walk->trace->blocks[index];
    uint64_t end;
    walk->placement->addresses[index] = block->id;
    if (__builtin_add_overflow(block->id, block->size, &end) ||
        !tn_interval_covers(&walk->placement->segments, block->id, end))
        return TARN_BUSY;
    return add_live(walk, index);
}

static tarn_status add_segment(struct walk *walk, size_t index) {
    const struct tn_trace_segment *segment = &walk->trace->segments[index];
    return tn_ranges_add(&walk->placement->segments, segment->address, segment->bytes, index);
}

static tarn_status return_segment(struct walk *walk, size_t index) {
    const struct tn_trace_segment *segment = &walk->trace->segments[index];
    uint64_t end;
    if (__builtin_add_overflow(segment->address, segment->bytes, &end) ||
        tn_interval_overlaps(&walk->placement->live, segment->address, end))
        return TARN_BUSY;
    return tn_ranges_remove(&walk->placement->segments, segment->address, segment->bytes);
}

static tarn_status keep_event(struct walk *walk, const struct tn_event *event) {
    switch (event->kind) {
    case TN_EVENT_ALLOC: return keep_block(walk, event->item);
    case TN_EVENT_FREE: return remove_live(walk, event->item);
    case TN_EVENT_FREE_REQUEST: walk->placement->waiting[event->item] = 1; return TARN_OK;
    case TN_EVENT_SEGMENT: return add_segment(walk, event->item);
    case TN_EVENT_SEGMENT_RETURN: return return_segment(walk, event->item);
    default: return TARN_OK;
    }
}

// Walks over the blocks at the start and the events of the device.
static tarn_status walk_device(struct walk *walk, tarn_status (*place)(struct walk *, uint32_t),
                               tarn_status (*follow)(struct walk *, const struct tn_event *)) {
    const struct tn_trace_device *device = walk->device;
    const struct tn_event *events = tn_trace_events(walk->trace, device);
    for (size_t i = 0; i < device->starting_count; i++)
        TN_TRY(place(walk, (uint32_t)(device->first_starting + i)));
    for (size_t i = 0; i < device->event_count; i++) {
        tn_trace_report_event(TN_STAGE_PLACE, walk->trace, device, i);
        TN_TRY(follow(walk, &events[i]));
    }
    return TARN_OK;
}

static tarn_status keep_recorded(struct walk *walk) {
    const struct tn_trace_device *device = walk->device;
    for (size_t i = 0; i < device->starting_segment_count; i++)
        TN_TRY(add_segment(walk, device->first_starting_segment + i));
    return walk_device(walk, keep_block, keep_event);
}

// ---- covered: segments around the recorded addresses

// Adds the pages of a block to the segments, and joins those that touch.
static tarn_status cover_block(struct walk *walk, uint32_t index) {
    const struct tn_block *block = &walk->trace->blocks[index];
    struct tn_interval *segments = &walk->placement->segments;
    uint64_t start = block->id / PAGE * PAGE, end;
    if (__builtin_add_overflow(block->id, block->size, &end) ||
        __builtin_add_overflow(end, PAGE - 1, &end))
        return TARN_BUSY;
    end = end / PAGE * PAGE;
    walk->placement->addresses[index] = block->id;
    if (!tn_interval_covers(segments, start, end))
        TN_TRY(tn_ranges_join(segments, start, end, UINT64_MAX));
    return add_live(walk, index);
}

static tarn_status cover_event(struct walk *walk, const struct tn_event *event) {
    if (event->kind == TN_EVENT_ALLOC) return cover_block(walk, event->item);
    bool is_block = event->kind == TN_EVENT_FREE || event->kind == TN_EVENT_FREE_REQUEST;
    return is_block ? keep_event(walk, event) : TARN_OK;
}

static tarn_status cover_recorded(struct walk *walk) {
    return walk_device(walk, cover_block, cover_event);
}

// ---- made up

static tarn_status make_block(struct walk *walk, uint32_t index) {
    uint64_t units = walk->trace->blocks[index].size / UNIT;
    units += walk->trace->blocks[index].size % UNIT != 0;
    uint32_t node = units <= TN_FIT_MAX_UNITS ? tn_fit_take(&walk->fit, 0, units, 1) : 0;
    TN_REFUSE(node == 0, TARN_UNSUPPORTED, "the live blocks need more addresses than there are");
    uint64_t start = tn_fit_start(&walk->fit, node);
    walk->nodes[index] = node;
    walk->top = start + units > walk->top ? start + units : walk->top;
    walk->placement->addresses[index] = made_base + start * UNIT;
    return add_live(walk, index);
}

static tarn_status make_event(struct walk *walk, const struct tn_event *event) {
    switch (event->kind) {
    case TN_EVENT_ALLOC: return make_block(walk, event->item);
    case TN_EVENT_FREE:
        (void)tn_fit_free(&walk->fit, walk->nodes[event->item], 0);
        return remove_live(walk, event->item);
    case TN_EVENT_FREE_REQUEST: return keep_event(walk, event);
    default: return TARN_OK;
    }
}

static tarn_status make_events(struct walk *walk) {
    TN_TRY(walk_device(walk, make_block, make_event));
    uint64_t bytes = (walk->top * UNIT + PAGE - 1) / PAGE * PAGE;
    return tn_ranges_add(&walk->placement->segments, made_base, bytes, UINT64_MAX);
}

// Returns the most blocks that are live at once.
static size_t most_live(const struct walk *walk) {
    const struct tn_event *events = tn_trace_events(walk->trace, walk->device);
    size_t live = walk->device->starting_count, most = live;
    for (size_t i = 0; i < walk->device->event_count; i++) {
        live += events[i].kind == TN_EVENT_ALLOC;
        live -= events[i].kind == TN_EVENT_FREE;
        most = live > most ? live : most;
    }
    return most;
}

static tarn_status make_placement(struct walk *walk) {
    // Each live block has a node, and a free one before and behind it.
    size_t capacity = 2 * most_live(walk) + 8;
    tn_fit_node *nodes =
        (tn_fit_node *)aligned_alloc(sizeof(tn_fit_node), capacity * sizeof(tn_fit_node));
    tn_fit_bins *bins = (tn_fit_bins *)calloc(1, sizeof *bins), *lists[1] = {NULL};
    walk->nodes = (uint32_t *)calloc(walk->trace->block_count + 1, sizeof *walk->nodes);
    tarn_status status = TARN_NO_HOST_MEMORY;
    if (nodes != NULL && bins != NULL && walk->nodes != NULL) {
        memset(nodes, 0, capacity * sizeof *nodes);
        tn_fit_init(&walk->fit, nodes, (uint32_t)capacity, lists, 1);
        tn_fit_set_list(&walk->fit, 0, bins);
        (void)tn_fit_add_span(&walk->fit, 0, 0, TN_FIT_MAX_UNITS);
        status = make_events(walk);
    }
    free(walk->nodes);
    free(bins);
    free(nodes);
    return status;
}

// ----

static void empty_placement(struct tn_placement *placement, size_t blocks) {
    tn_interval_fini(&placement->segments);
    tn_interval_fini(&placement->live);
    tn_interval_init(&placement->segments);
    tn_interval_init(&placement->live);
    memset(placement->addresses, 0, blocks * sizeof *placement->addresses);
    memset(placement->waiting, 0, blocks);
}

tarn_status tn_placement_make(const struct tn_trace *trace, const struct tn_trace_device *device,
                              struct tn_placement *placement) {
    static tarn_status (*const walks[])(struct walk *) = {[TN_PLACEMENT_RECORDED] = keep_recorded,
                                                          [TN_PLACEMENT_COVERED] = cover_recorded,
                                                          [TN_PLACEMENT_MADE] = make_placement};
    struct walk walk = {.trace = trace, .device = device, .placement = placement};
    tarn_status status = TARN_NO_HOST_MEMORY;
    memset(placement, 0, sizeof *placement);
    placement->addresses = (uint64_t *)calloc(trace->block_count + 1, sizeof(uint64_t));
    placement->waiting = (uint8_t *)calloc(trace->block_count + 1, 1);
    if (placement->addresses != NULL && placement->waiting != NULL) {
        bool places = (trace->lacks & TN_TRACE_NO_ADDRESSES) == 0;
        status = TARN_BUSY;
        for (int kind = places ? TN_PLACEMENT_RECORDED : TN_PLACEMENT_MADE;
             kind <= TN_PLACEMENT_MADE && status == TARN_BUSY; kind++) {
            empty_placement(placement, trace->block_count + 1);
            placement->kind = (enum tn_placement_kind)kind;
            status = walks[kind](&walk);
        }
    }
    if (status == TARN_OK) return TARN_OK;
    tn_placement_release(placement);
    return status == TARN_NO_HOST_MEMORY
               ? tn_fail(status, "out of host memory for the addresses of a snapshot")
               : status;
}

void tn_placement_release(struct tn_placement *placement) {
    tn_interval_fini(&placement->segments);
    tn_interval_fini(&placement->live);
    free(placement->addresses);
    free(placement->waiting);
    memset(placement, 0, sizeof *placement);
}
