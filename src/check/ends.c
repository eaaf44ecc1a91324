// SPDX-License-Identifier: Apache-2.0
// The ends of regions and heaps. A heap ends its regions, and a region ends the heaps inside it, so
// this file contains both. Called with the model's lock held.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "check/canary.h"
#include "check/describe.h"
#include "check/forward.h"
#include "check/seal.h"

enum { ENDED_HEAPS_KEPT = 1024 };

// ---- regions

static void end_nested(struct tn_check_call *call, struct tn_check_region *region) {
    while (region->nested > 0) {
        struct tn_check_heap *inner = tn_check_model.heaps;
        while (inner->parent != region) inner = inner->older;
        struct tn_check_report *report =
            tn_check_call_report(call, TN_CHECK_KIND_NESTED_HEAP_ORPHANED,
                                 "region R%" PRIu64 " ends with live heap H%" PRIu64 " [0x%" PRIx64
                                 ",0x%" PRIx64 ") in it",
                                 region->serial, inner->serial, inner->lo, inner->hi);
        tn_check_describe_heap(report, inner);
        tn_check_describe_region(report, region, region->lo);
        tn_check_heap_end(call, inner, TN_CHECK_END_PARENT);
    }
}

static void judge_unused(struct tn_check_call *call, struct tn_check_region *region) {
    uint64_t first = 0;
    uint64_t count = 0;
    uint64_t bytes = tn_check_region_bytes(region);
    bool known = region->seen || region->sealed;
    if (!tn_check_model.options->unused || !known || bytes == 0 ||
        tn_check_written_covers(&region->written, region->lo, region->hi, &first, &count))
        return;
    if (!region->seen) {
        const struct tn_check_seals seals = tn_check_seals_in(region, region->lo, region->hi);
        if (!tn_check_seal_is_intact(&seals)) return;
    }
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_UNUSED_MEMORY,
                             "%" PRIu64 " of %" PRIu64 " byte(s) (%" PRIu64 "%%) of R%" PRIu64
                             " never written, first at +0x%" PRIx64,
                             count, bytes, (uint64_t)((double)count * 100 / (double)bytes),
                             region->serial, first - region->lo);
    tn_check_report_set_range(report, first, count);
    tn_check_describe_region(report, region, first);
}

static void unlink_region(struct tn_check_region *region) {
    struct tn_check_addresses_part *part = NULL;
    struct tn_check_region **link = &region->history->live;
    if (tn_check_shards_shared())
        part = tn_check_addresses_take(&tn_check_model.addresses, region->space, region->lo, true);
    while (*link != region) {
        TARN_ASSERT(*link != NULL);
        link = &(*link)->same_start;
    }
    *link = region->same_start;
    tn_check_addresses_give(part, part != NULL);
    *(region->newer == NULL ? &region->shard->regions : &region->newer->older) = region->older;
    if (region->older != NULL) region->older->newer = region->newer;
}

void tn_check_region_end(struct tn_check_call *call, struct tn_check_region *region,
                         enum tn_check_end why) {
    end_nested(call, region);
    region->ended = call->by;
    if (tn_check_canary_enabled()) tn_check_canary_region_end(call, region, why);
    judge_unused(call, region);
    tn_check_forward_region(TN_MEM_REGION_END, region, 0);
    unlink_region(region);
    tn_check_region_leave(region);
    if (region->handle != 0)
        (void)tn_slots_remove(&tn_check_model.region_handles, region->handle, NULL);
    region->end = (uint8_t)why;
    region->shard->counts.live--;
    region->shard->counts.live_bytes -= tn_check_region_bytes(region);
    if (!region->from_event && tn_check_model.options->realloc_keep &&
        tn_check_written_any(&region->written)) {
        struct tn_check_model *m = &tn_check_model;
        tn_check_written_fini(&m->last_written.written);
        m->last_written.written = region->written;
        m->last_written.lo = region->lo;
        m->last_written.space = region->space;
        m->last_written.thread = call->by.thread;
        m->last_written.call_number = call->call_number;
        region->written = (struct tn_check_written){0};
    } else {
        tn_check_written_fini(&region->written);
    }
    tn_check_region_retire(region);
}

// ---- heaps

void tn_check_heap_reset(struct tn_check_call *call, struct tn_check_heap *heap) {
    struct tn_check_span *span = NULL;
    while ((span = tn_check_cover_any(&heap->live)) != NULL)
        tn_check_region_end(call, tn_check_region_of_span(span), TN_CHECK_END_HEAP);
    while (heap->live_regions != 0) { // regions without bytes
        struct tn_check_region *region = heap->shard->regions;
        while (region->heap != heap) region = region->older;
        tn_check_region_end(call, region, TN_CHECK_END_HEAP);
    }
}

// Inner heaps that lie in no region of this heap become inner heaps of the heap around it.
static void adopt_inner_heaps(struct tn_check_heap *heap) {
    struct tn_check_heap *inner = heap->inner == 0 ? NULL : tn_check_model.heaps;
    for (; inner != NULL; inner = inner->older) {
        if (inner->outer == heap) {
            inner->outer = heap->outer;
            heap->inner--;
            if (heap->outer != NULL) heap->outer->inner++;
        }
    }
    TARN_ASSERT(heap->inner == 0);
}

static void forget_older_half(void) {
    struct tn_check_heap *heap = tn_check_model.ended_heaps;
    for (unsigned i = 1; i < ENDED_HEAPS_KEPT / 2; i++) heap = heap->older;
    struct tn_check_heap *oldest = heap->older;
    heap->older = NULL;
    TN_CHAIN_DRAIN(struct tn_check_heap, old, oldest, older) free(old);
    tn_check_model.ended_heap_count = ENDED_HEAPS_KEPT / 2;
}

void tn_check_heap_end(struct tn_check_call *call, struct tn_check_heap *heap,
                       enum tn_check_end why) {
    if (why == TN_CHECK_END_CALL && heap->aliases > 0) {
        heap->aliases--;
        return;
    }
    if (why == TN_CHECK_END_CALL && heap->live_regions != 0) tn_check_leaks_heap(call, heap);
    tn_check_heap_reset(call, heap);
    if (tn_check_canary_enabled())
        tn_check_canary_forget(call, heap->plane->space, heap->lo, heap->hi);
    tn_check_forward_heap_end(heap);
    adopt_inner_heaps(heap);
    if (heap->outer != NULL) heap->outer->inner--;
    if (heap->parent != NULL) heap->parent->nested--;
    if (heap->lo < heap->hi) tn_check_cover_remove(&heap->plane->heaps, &heap->span);
    if (heap->handle != 0) (void)tn_slots_remove(&tn_check_model.heap_handles, heap->handle, NULL);
    for (unsigned i = 0; i < TN_CHECK_SHARDS; i++) {
        struct tn_check_shard *shard = &tn_check_model.shard[i];
        shard->last = shard->last == heap ? NULL : shard->last;
    }
    tn_check_cover_fini(&heap->live);
    heap->domain->heaps--;
    heap->end = why;
    heap->ended = call->by;
    heap->outer = NULL;
    heap->parent = NULL;
    *(heap->newer == NULL ? &tn_check_model.heaps : &heap->newer->older) = heap->older;
    if (heap->older != NULL) heap->older->newer = heap->newer;
    tn_check_model.stats.heaps_live--;
    heap->newer = NULL;
    heap->older = tn_check_model.ended_heaps;
    tn_check_model.ended_heaps = heap;
    if (++tn_check_model.ended_heap_count > ENDED_HEAPS_KEPT) forget_older_half();
}

// ---- memory beneath heaps

struct stale {
    uint64_t lo;
    uint64_t hi;
    bool reserved;
    struct tn_check_heap *heap;
};

// Only a heap that lies completely in the freed range is stale, because the owner of a heap may
// free pages inside it. A pool of Tarn that has blocks is stale once none of its memory is left. A
// heap without regions in a reservation is not, because its owner may map memory there again. Pools
// of Tarn that own their memory end by their own events.
static bool visit_stale(struct tn_check_span *span, void *context) {
    struct stale *stale = context;
    struct tn_check_heap *heap = tn_check_heap_of_span(span);
    bool inside = heap->lo >= stale->lo && heap->hi <= stale->hi;
    bool emptied = heap->object != 0 && heap->live_regions != 0 && heap->plane->space == 0 &&
                   !tn_interval_overlaps(&tn_check_model.backing, heap->lo, heap->hi);
    bool waits = stale->reserved && heap->live_regions == 0;
    bool gone = (heap->given || !heap->from_event) && (inside || emptied) && !waits;
    stale->heap = gone ? heap : NULL;
    return !gone;
}

void tn_check_backing_end(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi,
                          bool reserved) {
    if (lo >= hi) return;
    tn_check_model.backing_changes++;
    if (space == 0) (void)tn_interval_remove_range(&tn_check_model.backing, lo, hi);
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        while (plane->space == space) {
            struct stale stale = {lo, hi, reserved, NULL};
            tn_check_cover_walk(&plane->heaps, lo, hi, visit_stale, &stale);
            if (stale.heap == NULL) break;
            struct tn_check_heap *heap = stale.heap;
            char with[64] = "";
            if (heap->live_regions != 0)
                (void)snprintf(with, sizeof with, ", with %" PRIu64 " live region(s)",
                               heap->live_regions);
            struct tn_check_report *report =
                tn_check_call_report(call, TN_CHECK_KIND_HEAP_STALE,
                                     "the memory of heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64
                                     ") is freed before the heap ends%s",
                                     heap->serial, heap->lo, heap->hi, with);
            if (with[0] != '\0') report->severity = TN_CHECK_SEVERITY_ERROR;
            tn_check_report_set_range(report, heap->lo, tn_check_heap_bytes(heap));
            tn_check_describe_heap(report, heap);
            tn_check_heap_end(call, heap, TN_CHECK_END_BACKING);
        }
    }
}
