// SPDX-License-Identifier: Apache-2.0
// Heaps begin and end here, and rules about where they lie are judged here: rows 4 to 13 of the
// table of misuse. A heap knows the heap around it and the live region of that it is in.
#include "check/heaps.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/assert.h"
#include "check/canary.h"
#include "check/describe.h"
#include "check/forward.h"
#include "check/mapped.h"
#include "check/options.h"
#include "check/regions.h"

enum { DEAD_HEAPS_KEPT = 1024, AT_MOST = 16 };

static uint64_t size_of(const struct tn_check_heap *heap) {
    return heap->hi - heap->lo;
}

// ---- looking

struct tn_check_heap *tn_check_heap_by_handle(uint64_t handle) {
    uint64_t payload = 0;
    return tn_slots_get(&tn_check_model.heap_handles, handle, &payload)
               ? (struct tn_check_heap *)tn_slots_to_pointer(payload)
               : NULL;
}

static bool plane_matches(const struct tn_check_plane *plane,
                          const struct tn_check_heap_range *range) {
    return plane->space == range->space && tn_check_device_matches(plane->device, range->device);
}

// Equal ranges: the newer one is inside. The spans of a byte come newest first.
static struct tn_check_heap *around_in(struct tn_check_plane *plane,
                                       const struct tn_check_heap_range *range, uint64_t object) {
    struct tn_check_heap *best = NULL;
    struct tn_check_span *span = tn_check_cover_at(&plane->heaps, range->lo);
    for (; span != NULL; span = tn_check_cover_older(span, range->lo)) {
        struct tn_check_heap *heap = tn_check_heap_of_span(span);
        if (heap->hi < range->hi) {
            continue;
        }
        if (object != 0 && heap->object == object) {
            return heap;
        }
        if (best == NULL || size_of(heap) < size_of(best)) {
            best = heap;
        }
    }
    return best;
}

// Most regions come into the heap of the one before.
static bool is_last(const struct tn_check_heap *last, const struct tn_check_heap_range *range,
                    uint64_t object) {
    return last != NULL && last->lo <= range->lo && range->hi <= last->hi && last->inner == 0 &&
           !last->crossed && (object == 0 || last->object == object);
}

struct tn_check_heap *tn_check_heap_around(const struct tn_check_heap_range *range,
                                           uint64_t object) {
    struct tn_check_heap *best = NULL;
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        if (!plane_matches(plane, range)) {
            continue;
        }
        struct tn_check_heap *heap =
            is_last(plane->last, range, object) ? plane->last : around_in(plane, range, object);
        if (heap != NULL) {
            plane->last = heap;
        }
        if (heap != NULL && (best == NULL || size_of(heap) < size_of(best))) {
            best = heap;
        }
    }
    return best;
}

static struct tn_check_heap *at_start_in(const struct tn_check_plane *plane, uint64_t lo,
                                         uint64_t object) {
    struct tn_check_span *span = tn_check_cover_at(&plane->heaps, lo);
    for (; span != NULL; span = tn_check_cover_older(span, lo)) {
        struct tn_check_heap *heap = tn_check_heap_of_span(span);
        if (heap->lo == lo && (object == 0 || heap->object == object)) {
            return heap;
        }
    }
    return NULL;
}

struct tn_check_heap *tn_check_heap_at_start(const struct tn_check_heap_range *range,
                                             uint64_t object) {
    struct tn_check_heap *heap = NULL;
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL && heap == NULL;
         plane = plane->next) {
        if (plane_matches(plane, range)) {
            heap = at_start_in(plane, range->lo, object);
        }
    }
    return heap;
}

static bool is_outside_of(const struct tn_check_heap *outer, const struct tn_check_heap *inner) {
    while (inner != NULL && inner != outer) {
        inner = inner->outer;
    }
    return inner == outer;
}

unsigned tn_check_heaps_at(const struct tn_check_plane *plane, uint64_t address,
                           struct tn_check_heap **found, unsigned most) {
    struct tn_check_heap *all[AT_MOST];
    unsigned count = 0;
    struct tn_check_span *span = tn_check_cover_at(&plane->heaps, address);
    for (; span != NULL && count < AT_MOST; span = tn_check_cover_older(span, address)) {
        all[count++] = tn_check_heap_of_span(span);
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < count && kept < most; i++) {
        bool innermost = true;
        for (unsigned j = 0; j < count; j++) {
            innermost = innermost && (i == j || !is_outside_of(all[i], all[j]));
        }
        if (innermost) {
            found[kept++] = all[i];
        }
    }
    return kept;
}

// ---- beginning

// The smallest live region of the heap that contains the range.
static struct tn_check_region *region_around(const struct tn_check_heap *heap,
                                             const struct tn_check_heap_range *range) {
    struct tn_check_span *best = NULL;
    struct tn_check_span *span = tn_check_cover_at(&heap->live, range->lo);
    for (; span != NULL; span = tn_check_cover_older(span, range->lo)) {
        if (span->hi >= range->hi && (best == NULL || span->hi - span->lo < best->hi - best->lo)) {
            best = span;
        }
    }
    return best == NULL ? NULL : tn_check_region_of_span(best);
}

// The client rounded the size up: the range ends in what the region takes, beyond what was asked.
static struct tn_check_region *region_with_slack(const struct tn_check_heap *heap,
                                                 const struct tn_check_heap_range *range) {
    struct tn_check_span *span = tn_check_cover_at(&heap->live, range->lo);
    for (; span != NULL; span = tn_check_cover_older(span, range->lo)) {
        struct tn_check_region *region = tn_check_region_of_span(span);
        if (region->taken > region->hi - region->lo && range->hi - region->lo <= region->taken) {
            return region;
        }
    }
    return NULL;
}

static bool same_range(const struct tn_check_heap *heap, const struct tn_check_heap_range *range) {
    return heap->lo == range->lo && heap->hi == range->hi;
}

static struct tn_check_heap *alias_of(struct tn_check_heap *outer,
                                      const struct tn_check_heap_range *range, uint64_t object) {
    bool same = outer != NULL && object == 0 && outer->object == 0 && same_range(outer, range);
    return same && region_around(outer, range) == NULL ? outer : NULL;
}

static struct tn_check_heap *register_again(struct tn_check_call *call, struct tn_check_heap *heap,
                                            struct tn_check_domain *domain) {
    heap->aliases++;
    heap->aliased_domain = heap->aliased_domain || heap->domain != domain;
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_HEAP_DUPLICATE, "range of H%" PRIu64 " registered again (count %u)",
        heap->serial, heap->aliases + 1);
    tn_check_report_set_range(report, heap->lo, size_of(heap));
    tn_check_describe_heap(report, heap);
    return heap;
}

static void nest_heap(struct tn_check_heap *heap, struct tn_check_heap *outer,
                      struct tn_check_region *parent) {
    heap->outer = outer;
    heap->parent = parent;
    if (outer != NULL) {
        outer->inner++;
    }
    if (parent != NULL) {
        parent->nested++;
    }
}

static struct tn_check_report *report_about(struct tn_check_call *call, enum tn_check_kind kind,
                                            const struct tn_check_heap *heap,
                                            const struct tn_check_heap *other, const char *how) {
    struct tn_check_report *report = tn_check_call_report(
        call, kind,
        "heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") %s heap H%" PRIu64 " [0x%" PRIx64
        ",0x%" PRIx64 ")",
        heap->serial, heap->lo, heap->hi, how, other->serial, other->lo, other->hi);
    tn_check_report_set_range(report, heap->lo, size_of(heap));
    tn_check_describe_heap(report, other);
    return report;
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
                size_of(heap), parent->hi - parent->lo);
            tn_check_describe_region(report, parent, parent->lo);
        } else {
            (void)report_about(call, TN_CHECK_KIND_HEAP_IN_FREE_MEMORY, heap, outer,
                               "lies in no live region of");
        }
    }
    nest_heap(heap, outer, parent);
}

struct meeting {
    struct tn_check_call *call;
    struct tn_check_heap *heap;
    bool told; // one crossing is enough
};

// What the new heap meets that does not contain it: parts of others, or whole ones inside it.
static bool visit_neighbour(struct tn_check_span *span, void *context) {
    struct meeting *meeting = context;
    struct tn_check_heap *heap = meeting->heap;
    struct tn_check_heap *other = tn_check_heap_of_span(span);
    bool inside = other->lo >= heap->lo && other->hi <= heap->hi && size_of(other) < size_of(heap);
    bool around = other->lo <= heap->lo && other->hi >= heap->hi;
    if (inside && other->outer == heap->outer) {
        if (other->outer != NULL) {
            other->outer->inner--;
        }
        other->outer = heap;
        heap->inner++;
        (void)report_about(meeting->call, TN_CHECK_KIND_HEAP_IN_FREE_MEMORY, other, heap,
                           "lies in no live region of the new");
    } else if (!inside && !around) {
        heap->crossed = true;
        other->crossed = true;
        if (meeting->told) {
            return true;
        }
        meeting->told = true;
        (void)report_about(meeting->call, TN_CHECK_KIND_HEAP_OVERLAP, heap, other,
                           "overlaps a part of");
    }
    return true;
}

static void judge_backing(struct tn_check_call *call, const struct tn_check_heap *heap) {
    const struct tn_interval *backing = &tn_check_model.backing;
    if (!tn_check_model.options->backing || heap->plane->space != 0 ||
        tn_interval_covers(backing, heap->lo, heap->hi) || tn_check_is_mapped(heap->lo, heap->hi)) {
        return;
    }
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_HEAP_WITHOUT_BACKING,
        "heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") lies in no memory that is known",
        heap->serial, heap->lo, heap->hi);
    tn_check_report_set_range(report, heap->lo, size_of(heap));
    report->device = heap->device;
}

static void judge_heap(struct tn_check_call *call, struct tn_check_heap *heap,
                       struct tn_check_heap *outer, const struct tn_check_heap_range *range) {
    if (outer != NULL) {
        judge_place(call, heap, outer, range);
    }
    struct meeting meeting = {call, heap, false};
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        if (plane_matches(plane, range)) {
            tn_check_cover_walk(&plane->heaps, range->lo, range->hi, visit_neighbour, &meeting);
        }
    }
    judge_backing(call, heap);
}

static void link_heap(struct tn_check_heap *heap) {
    heap->older = tn_check_model.heaps;
    if (heap->older != NULL) {
        heap->older->newer = heap;
    }
    tn_check_model.heaps = heap;
    tn_check_model.stats.heaps_live++;
    tn_check_model.stats.heaps_total++;
}

struct tn_check_heap *tn_check_heap_begin(struct tn_check_call *call,
                                          struct tn_check_domain *domain,
                                          const struct tn_check_heap_range *range,
                                          uint64_t object) {
    bool empty = range->lo >= range->hi;
    struct tn_check_heap *outer = empty ? NULL : tn_check_heap_around(range, 0);
    struct tn_check_heap *same = alias_of(outer, range, object);
    if (same != NULL) {
        return register_again(call, same, domain);
    }
    struct tn_check_heap *heap = tn_check_allocate(sizeof *heap);
    heap->lo = range->lo;
    heap->hi = empty ? range->lo : range->hi;
    heap->span = (struct tn_check_span){.lo = heap->lo, .hi = heap->hi};
    heap->serial = ++tn_check_model.serial;
    heap->plane = tn_check_plane_make(range->space, range->device);
    heap->device = range->device;
    heap->domain = domain;
    heap->object = object;
    heap->begun = call->by;
    tn_check_cover_init(&heap->live);
    domain->heaps++;
    if (!empty) {
        judge_heap(call, heap, outer, range);
        if (!tn_check_cover_add(&heap->plane->heaps, &heap->span)) {
            tn_check_out_of_memory();
        }
    }
    link_heap(heap);
    return heap;
}

uint64_t tn_check_heap_handle(struct tn_check_heap *heap) {
    if (heap->handle == 0 &&
        tn_slots_insert(&tn_check_model.heap_handles, tn_slots_from_pointer(heap), &heap->handle) !=
            TARN_OK) {
        tn_check_out_of_memory();
    }
    return heap->handle;
}

// ---- ending

static void end_regions(struct tn_check_call *call, struct tn_check_heap *heap) {
    if (heap->live_regions != 0 && tn_check_model.options->heap_exit_leaks) {
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_LEAK_IN_HEAP,
            "heap H%" PRIu64 " ends with %" PRIu64 " byte(s) in %" PRIu64 " region(s)",
            heap->serial, heap->live_bytes, heap->live_regions);
        tn_check_describe_heap(report, heap);
    }
    struct tn_check_span *span = NULL;
    while ((span = tn_check_cover_any(&heap->live)) != NULL) {
        tn_check_region_end(call, tn_check_region_of_span(span), TN_CHECK_END_HEAP);
    }
    while (heap->live_regions != 0) { // those without bytes
        struct tn_check_region *region = tn_check_model.regions;
        while (region->heap != heap) {
            region = region->older;
        }
        tn_check_region_end(call, region, TN_CHECK_END_HEAP);
    }
}

// Heaps inside this one that no region of it carried are now inside the one around it.
static void hand_inner_on(struct tn_check_heap *heap) {
    struct tn_check_heap *inner = heap->inner == 0 ? NULL : tn_check_model.heaps;
    for (; inner != NULL; inner = inner->older) {
        if (inner->outer == heap) {
            inner->outer = heap->outer;
            heap->inner--;
            if (heap->outer != NULL) {
                heap->outer->inner++;
            }
        }
    }
    TARN_ASSERT(heap->inner == 0);
}

static void unlink_heap(struct tn_check_heap *heap) {
    *(heap->newer == NULL ? &tn_check_model.heaps : &heap->newer->older) = heap->older;
    if (heap->older != NULL) {
        heap->older->newer = heap->newer;
    }
    tn_check_model.stats.heaps_live--;
}

static void forget_half_of_the_dead(void) {
    struct tn_check_heap *heap = tn_check_model.dead_heaps;
    for (unsigned i = 1; i < DEAD_HEAPS_KEPT / 2; i++) {
        heap = heap->older;
    }
    struct tn_check_heap *oldest = heap->older;
    heap->older = NULL;
    while (oldest != NULL) {
        struct tn_check_heap *next = oldest->older;
        free(oldest);
        oldest = next;
    }
    tn_check_model.dead_heap_count = DEAD_HEAPS_KEPT / 2;
}

static void retire_heap(struct tn_check_heap *heap) {
    heap->newer = NULL;
    heap->older = tn_check_model.dead_heaps;
    tn_check_model.dead_heaps = heap;
    tn_check_model.dead_heap_count++;
    if (tn_check_model.dead_heap_count > DEAD_HEAPS_KEPT) {
        forget_half_of_the_dead();
    }
}

static void forget_last(const struct tn_check_heap *heap) {
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        if (plane->last == heap) {
            plane->last = NULL;
        }
    }
}

void tn_check_heap_end(struct tn_check_call *call, struct tn_check_heap *heap,
                       enum tn_check_end why) {
    if (why == TN_CHECK_END_CALL && heap->aliases > 0) {
        heap->aliases--;
        return;
    }
    end_regions(call, heap);
    if (tn_check_canary_enabled()) {
        tn_check_canary_forget(call, heap->plane->space, heap->lo, heap->hi);
    }
    tn_check_forward_heap_end(heap);
    hand_inner_on(heap);
    if (heap->outer != NULL) {
        heap->outer->inner--;
    }
    if (heap->parent != NULL) {
        heap->parent->nested--;
    }
    if (heap->lo < heap->hi) {
        tn_check_cover_remove(&heap->plane->heaps, &heap->span);
    }
    if (heap->handle != 0) {
        (void)tn_slots_remove(&tn_check_model.heap_handles, heap->handle, NULL);
    }
    forget_last(heap);
    tn_check_cover_fini(&heap->live);
    heap->domain->heaps--;
    heap->end = why;
    heap->ended = call->by;
    heap->outer = NULL;
    heap->parent = NULL;
    unlink_heap(heap);
    retire_heap(heap);
}

// ---- what is beneath

void tn_check_backing_begin(uint32_t space, uint64_t lo, uint64_t hi) {
    if (space == 0 && lo < hi) {
        (void)tn_interval_insert(&tn_check_model.backing, lo, hi, 0); // known already: also good
    }
}

struct stale {
    uint64_t lo;
    uint64_t hi;
    struct tn_check_heap *heap;
};

// Pages that come and go inside a heap are its owner's business, and whoever tells notes takes its
// heap away itself.
static bool visit_stale(struct tn_check_span *span, void *context) {
    struct stale *stale = context;
    struct tn_check_heap *heap = tn_check_heap_of_span(span);
    bool gone = !heap->told && heap->lo >= stale->lo && heap->hi <= stale->hi;
    stale->heap = gone ? heap : NULL;
    return !gone;
}

static struct tn_check_heap *stale_in(const struct tn_check_plane *plane, uint64_t lo,
                                      uint64_t hi) {
    struct stale stale = {lo, hi, NULL};
    tn_check_cover_walk(&plane->heaps, lo, hi, visit_stale, &stale);
    return stale.heap;
}

static void end_stale(struct tn_check_call *call, struct tn_check_heap *heap) {
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_HEAP_STALE,
        "memory beneath heap H%" PRIu64 " [0x%" PRIx64 ",0x%" PRIx64 ") is freed under it",
        heap->serial, heap->lo, heap->hi);
    tn_check_report_set_range(report, heap->lo, size_of(heap));
    tn_check_describe_heap(report, heap);
    tn_check_heap_end(call, heap, TN_CHECK_END_BACKING);
}

void tn_check_backing_end(struct tn_check_call *call, uint32_t space, uint64_t lo, uint64_t hi) {
    if (lo >= hi) {
        return;
    }
    if (space == 0) {
        (void)tn_interval_remove_range(&tn_check_model.backing, lo, hi);
    }
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        struct tn_check_heap *heap = NULL;
        while (plane->space == space && (heap = stale_in(plane, lo, hi)) != NULL) {
            end_stale(call, heap);
        }
    }
}
