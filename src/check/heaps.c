// SPDX-License-Identifier: Apache-2.0
// Begins heaps and judges their position. They end in ends.c. A heap has a pointer to the heap
// around it, and to the live region of that heap that contains it.
#include <inttypes.h>

#include "check/describe.h"

// Finds the smallest live region of the heap that contains the range.
static struct tn_check_region *region_around(const struct tn_check_heap *heap,
                                             const struct tn_check_heap_range *range) {
    struct tn_check_span *best = NULL;
    struct tn_check_span *span = tn_check_cover_at(&heap->live, range->lo);
    for (; span != NULL; span = tn_check_cover_older(span, range->lo))
        if (span->hi >= range->hi && (best == NULL || span->hi - span->lo < best->hi - best->lo))
            best = span;
    return best == NULL ? NULL : tn_check_region_of_span(best);
}

// Finds a region whose slack contains the end of the range: the client rounded the size up.
static struct tn_check_region *region_with_slack(const struct tn_check_heap *heap,
                                                 const struct tn_check_heap_range *range) {
    struct tn_check_span *span = tn_check_cover_at(&heap->live, range->lo);
    for (; span != NULL; span = tn_check_cover_older(span, range->lo)) {
        struct tn_check_region *region = tn_check_region_of_span(span);
        if (region->taken > region->hi - region->lo && range->hi - region->lo <= region->taken)
            return region;
    }
    return NULL;
}

static struct tn_check_heap *register_again(struct tn_check_call *call, struct tn_check_heap *heap,
                                            struct tn_check_domain *domain) {
    heap->aliases++;
    heap->aliased_domain = heap->aliased_domain || heap->domain != domain;
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_HEAP_DUPLICATE, "range of H%" PRIu64 " registered again (count %u)",
        heap->serial, heap->aliases + 1);
    tn_check_report_set_range(report, heap->lo, tn_check_heap_bytes(heap));
    tn_check_describe_heap(report, heap);
    return heap;
}

static void report_about(struct tn_check_call *call, enum tn_check_kind kind,
                         const struct tn_check_heap *heap, const struct tn_check_heap *other,
                         const char *how) {
    struct tn_check_report *report = tn_check_call_report(
        call, kind,
        "heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") %s heap H%" PRIu64 " [0x%" PRIx64
        ",0x%" PRIx64 ")",
        heap->serial, heap->lo, heap->hi, how, other->serial, other->lo, other->hi);
    tn_check_report_set_range(report, heap->lo, tn_check_heap_bytes(heap));
    tn_check_describe_heap(report, other);
}

static void report_no_parent(struct tn_check_call *call, const struct tn_check_heap *heap,
                             const struct tn_check_heap *outer) {
    struct tn_check_span *below = tn_check_cover_at(&outer->live, heap->lo);
    if (below == NULL) {
        report_about(call, TN_CHECK_KIND_HEAP_IN_FREE_MEMORY, heap, outer,
                     "lies in no live region of");
        return;
    }
    const struct tn_check_region *region = tn_check_region_of_span(below);
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_HEAP_EXCEEDS_MEMORY,
        "heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") exceeds region R%" PRIu64 " [0x%" PRIx64
        ",0x%" PRIx64 ") by %" PRIu64 " byte(s)",
        heap->serial, heap->lo, heap->hi, region->serial, region->lo, region->hi,
        heap->hi - region->hi);
    tn_check_report_set_range(report, heap->lo, tn_check_heap_bytes(heap));
    tn_check_describe_region(report, region, region->hi);
}

static void judge_place(struct tn_check_call *call, struct tn_check_heap *heap,
                        struct tn_check_heap *outer, const struct tn_check_heap_range *range) {
    struct tn_check_region *parent = region_around(outer, range);
    if (parent == NULL) {
        parent = region_with_slack(outer, range);
        if (parent != NULL) {
            struct tn_check_report *report = tn_check_call_report(
                call, TN_CHECK_KIND_API_SIZE_SLACK,
                "heap of %" PRIu64 " byte(s) over a region of which %" PRIu64 " were requested",
                tn_check_heap_bytes(heap), parent->hi - parent->lo);
            tn_check_describe_region(report, parent, parent->lo);
        } else {
            report_no_parent(call, heap, outer);
        }
    }
    heap->outer = outer;
    outer->inner++;
    heap->parent = parent;
    if (parent != NULL) parent->nested++;
}

struct meeting {
    struct tn_check_call *call;
    struct tn_check_heap *heap;
    bool reported; // one overlap is enough
};

// Judges a heap that overlaps the new one but does not contain it.
static bool visit_neighbour(struct tn_check_span *span, void *context) {
    struct meeting *meeting = context;
    struct tn_check_heap *heap = meeting->heap;
    struct tn_check_heap *other = tn_check_heap_of_span(span);
    bool inside = other->lo >= heap->lo && other->hi <= heap->hi &&
                  tn_check_heap_bytes(other) < tn_check_heap_bytes(heap);
    bool around = other->lo <= heap->lo && other->hi >= heap->hi;
    if (inside && other->outer == heap->outer) {
        if (other->outer != NULL) other->outer->inner--;
        other->outer = heap;
        heap->inner++;
        report_about(meeting->call, TN_CHECK_KIND_HEAP_IN_FREE_MEMORY, other, heap,
                     "lies in no live region of the new");
    } else if (inside) { // its outer heap is another one
        heap->crossed = true;
    } else if (!around) {
        heap->crossed = true;
        other->crossed = true;
        if (meeting->reported) return true;
        meeting->reported = true;
        report_about(meeting->call, TN_CHECK_KIND_HEAP_OVERLAP, heap, other, "overlaps a part of");
    }
    return true;
}

struct tn_check_heap *tn_check_heap_begin(struct tn_check_call *call,
                                          struct tn_check_domain *domain,
                                          const struct tn_check_heap_range *range,
                                          uint64_t object) {
    bool empty = range->lo >= range->hi;
    struct tn_check_heap *outer =
        empty ? NULL : tn_check_heap_around(range, 0, tn_check_shard_for(0));
    if (outer != NULL && object == 0 && outer->object == 0 && outer->lo == range->lo &&
        outer->hi == range->hi && region_around(outer, range) == NULL)
        return register_again(call, outer, domain);
    struct tn_check_heap *heap = tn_check_allocate(sizeof *heap);
    heap->lo = range->lo;
    heap->hi = empty ? range->lo : range->hi;
    heap->span = (struct tn_check_span){.lo = heap->lo, .hi = heap->hi};
    heap->serial = ++tn_check_model.serial;
    heap->plane = tn_check_plane_make(range->space, range->device);
    heap->device = range->device;
    heap->domain = domain;
    heap->shard = tn_check_shard_for(object);
    heap->object = object;
    heap->begun = call->by;
    tn_check_cover_init(&heap->live);
    domain->heaps++;
    if (outer != NULL) judge_place(call, heap, outer, range);
    if (!empty) {
        struct meeting meeting = {call, heap, false};
        for (struct tn_check_plane *p = tn_check_model.planes; p != NULL; p = p->next)
            if (tn_check_plane_matches(p, range))
                tn_check_cover_walk(&p->heaps, range->lo, range->hi, visit_neighbour, &meeting);
        if (!tn_check_cover_add(&heap->plane->heaps, &heap->span)) tn_check_out_of_memory();
    }
    if (object == 0) tn_check_backing_set_rule(heap, NULL);
    tn_check_plain_mark(range->space, heap->lo, heap->hi);
    heap->older = tn_check_model.heaps;
    if (heap->older != NULL) heap->older->newer = heap;
    tn_check_model.heaps = heap;
    tn_check_model.stats.heaps_live++;
    tn_check_model.stats.heaps_total++;
    return heap;
}

uint64_t tn_check_heap_handle(struct tn_check_heap *heap) {
    if (heap->handle == 0 && tn_slots_insert(&tn_check_model.heap_handles,
                                             tn_slots_from_pointer(heap), &heap->handle) != TARN_OK)
        tn_check_out_of_memory();
    return heap->handle;
}
