// SPDX-License-Identifier: Apache-2.0
// Regions begin, change and end here: rows 18, 20, 28, 29 and 30 of the table of misuse. This is
// the checker's hot path.
#include "check/regions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "check/canary.h"
#include "check/describe.h"
#include "check/forward.h"
#include "check/heaps.h"
#include "check/intern.h"
#include "check/options.h"
#include "check/seal.h"

// ---- looking

struct tn_check_region *tn_check_region_by_handle(uint64_t handle) {
    uint64_t payload = 0;
    return tn_slots_get(&tn_check_model.region_handles, handle, &payload)
               ? (struct tn_check_region *)tn_slots_to_pointer(payload)
               : NULL;
}

struct tn_check_region *tn_check_region_by_start(uint32_t space, uint64_t address,
                                                 const struct tn_check_domain *domain) {
    const struct tn_check_address *start =
        tn_check_addresses_find(&tn_check_model.starts, space, address);
    struct tn_check_region *region = start == NULL ? NULL : start->live;
    while (region != NULL && domain != NULL && region->domain != domain) {
        region = region->same_start;
    }
    return region;
}

static struct tn_check_region *containing_in(const struct tn_check_cover *cover, uint64_t address) {
    struct tn_check_span *span = tn_check_cover_at(cover, address);
    return span == NULL ? NULL : tn_check_region_of_span(span);
}

struct tn_check_region *tn_check_region_containing(uint32_t space, uint64_t address) {
    struct tn_check_heap *heap[8];
    for (struct tn_check_plane *plane = tn_check_model.planes; plane != NULL; plane = plane->next) {
        if (plane->space != space) {
            continue;
        }
        unsigned count = tn_check_heaps_at(plane, address, heap, 8);
        struct tn_check_region *region = NULL;
        for (unsigned i = 0; i < count && region == NULL; i++) {
            region = containing_in(&heap[i]->live, address);
        }
        region = region == NULL ? containing_in(&plane->loose, address) : region;
        if (region != NULL) {
            return region;
        }
    }
    return NULL;
}

// ---- beginning

static void judge_place(struct tn_check_call *call, const struct tn_check_region *region) {
    const struct tn_check_heap *heap = region->heap;
    if (region->lo >= heap->lo && region->hi <= heap->hi) {
        return;
    }
    bool after = region->hi > heap->hi;
    uint64_t edge = after ? heap->hi : heap->lo;
    uint64_t bytes = after ? region->hi - heap->hi : heap->lo - region->lo;
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_REGION_OUT_OF_HEAP,
                             "R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") exceeds heap H%" PRIu64
                             " %s 0x%" PRIx64 " by %" PRIu64 " byte(s)",
                             region->serial, region->lo, region->hi - region->lo, heap->serial,
                             after ? "end" : "start", edge, bytes);
    tn_check_report_set_range(report, region->lo, region->hi - region->lo);
    tn_check_describe_heap(report, heap);
    tn_check_describe_region(report, region, region->lo);
}

static void judge_overlap(struct tn_check_call *call, const struct tn_check_region *region) {
    if (!tn_check_model.options->overlap_error) {
        return;
    }
    struct tn_check_span *span =
        tn_check_cover_touches(&region->heap->live, region->span.lo, region->span.hi);
    if (span != NULL) {
        const struct tn_check_region *other = tn_check_region_of_span(span);
        struct tn_check_report *report = tn_check_call_report(
            call, TN_CHECK_KIND_REGION_OVERLAP,
            "R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") overlaps live R%" PRIu64, region->serial,
            region->lo, region->hi - region->lo, other->serial);
        tn_check_report_set_range(report, region->lo, region->hi - region->lo);
        tn_check_describe_region(report, region, region->lo);
        tn_check_describe_second(report, other, region->lo);
    }
}

static void place_in_heap(struct tn_check_call *call, struct tn_check_region *region) {
    struct tn_check_heap *heap = region->heap;
    judge_place(call, region);
    region->span.lo = region->lo > heap->lo ? region->lo : heap->lo;
    region->span.hi = region->hi < heap->hi ? region->hi : heap->hi;
    heap->live_regions++;
    if (region->span.lo < region->span.hi) {
        judge_overlap(call, region);
        heap->live_bytes += region->span.hi - region->span.lo;
        if (!tn_check_cover_add(&heap->live, &region->span)) {
            tn_check_out_of_memory();
        }
    }
}

static void place_loose(struct tn_check_region *region) {
    region->span.lo = region->lo;
    region->span.hi = region->hi;
    if (region->lo < region->hi && !tn_check_cover_add(&region->plane->loose, &region->span)) {
        tn_check_out_of_memory();
    }
}

static void link_region(struct tn_check_region *region) {
    struct tn_check_address *start =
        tn_check_addresses_make(&tn_check_model.starts, region->space, region->lo);
    if (start == NULL) {
        tn_check_out_of_memory();
    }
    region->start = start;
    region->generation = ++start->generation;
    region->same_start = start->live;
    start->live = region;
    region->older = tn_check_model.regions;
    if (region->older != NULL) {
        region->older->newer = region;
    }
    tn_check_model.regions = region;
}

static void count_region(const struct tn_check_region *region) {
    struct tn_check_model_stats *stats = &tn_check_model.stats;
    stats->regions_live++;
    stats->regions_total++;
    stats->bytes_live += region->hi - region->lo;
    if (stats->bytes_live > stats->bytes_peak) {
        stats->bytes_peak = stats->bytes_live;
    }
}

// What was written there stays so for a block that is resized by a client that has no call for it:
// ended and begun again by one thread with nothing between.
static void keep_written(const struct tn_check_call *call, struct tn_check_region *region) {
    if (tn_check_model.kept.own + 1 == call->own && tn_check_model.kept.thread == call->by.thread &&
        tn_check_model.kept.lo == region->lo && tn_check_model.kept.space == region->space) {
        region->written = tn_check_model.kept.written;
        tn_check_model.kept.written = (struct tn_check_written){0};
        tn_check_model.kept.own = 0;
    }
}

static bool may_seal(const struct tn_check_region *region,
                     const struct tn_check_region_desc *birth) {
    const struct tn_check_options *options = tn_check_model.options;
    return (options->uninitialised || options->unused) && region->told && region->host_can &&
           !region->seen && !birth->written && !region->ordered && region->space == 0 &&
           region->lo < region->hi;
}

struct tn_check_region *tn_check_region_begin(struct tn_check_call *call,
                                              const struct tn_check_region_desc *birth) {
    struct tn_check_region *region = tn_check_region_record();
    region->lo = birth->lo;
    region->hi = birth->lo + birth->bytes;
    region->taken = birth->taken > birth->bytes ? birth->taken : birth->bytes;
    region->serial = ++tn_check_model.region_serial;
    region->heap = birth->heap;
    region->heap_serial = birth->heap == NULL ? 0 : birth->heap->serial;
    region->domain = birth->domain;
    region->space = birth->space;
    region->device = birth->device;
    region->begun = call->by;
    region->step = tn_check_model.step;
    region->permission = TN_CHECK_MAY_ALL;
    region->told = birth->told;
    region->host_can = birth->host_can;
    region->seen = birth->seen;
    region->ordered = birth->ordered;
    region->name = tn_check_intern(birth->name);
    region->plane =
        birth->heap == NULL ? tn_check_plane_make(birth->space, birth->device) : birth->heap->plane;
    link_region(region);
    birth->domain->regions++;
    if (region->heap != NULL) {
        place_in_heap(call, region);
    } else {
        place_loose(region);
    }
    count_region(region);
    if (birth->written) {
        tn_check_written_add(&region->written, region->lo, region->hi);
    } else if (tn_check_model.kept.own != 0 && !birth->told) {
        keep_written(call, region);
    }
    if (tn_check_canary_enabled()) {
        tn_check_canary_region_begin(call, region);
    }
    region->sealed = may_seal(region, birth) && tn_check_seal_write(region);
    return region;
}

uint64_t tn_check_region_handle(struct tn_check_region *region) {
    if (region->handle == 0 &&
        tn_slots_insert(&tn_check_model.region_handles, tn_slots_from_pointer(region),
                        &region->handle) != TARN_OK) {
        tn_check_out_of_memory();
    }
    return region->handle;
}

// ---- ending

static void end_nested(struct tn_check_call *call, struct tn_check_region *region) {
    while (region->nested > 0) {
        struct tn_check_heap *inner = tn_check_model.heaps;
        while (inner->parent != region) {
            inner = inner->older;
        }
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

static void judge_unused(struct tn_check_call *call, const struct tn_check_region *region) {
    uint64_t first = 0;
    uint64_t count = 0;
    uint64_t bytes = region->hi - region->lo;
    bool known = region->seen || region->sealed;
    if (!tn_check_model.options->unused || !known || bytes == 0 ||
        tn_check_written_covers(&region->written, region->lo, region->hi, &first, &count) ||
        (!region->seen && !tn_check_seal_intact(region, region->lo, region->hi))) {
        return;
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
    struct tn_check_region **link = &region->start->live;
    while (*link != region) {
        TARN_ASSERT(*link != NULL);
        link = &(*link)->same_start;
    }
    *link = region->same_start;
    *(region->newer == NULL ? &tn_check_model.regions : &region->newer->older) = region->older;
    if (region->older != NULL) {
        region->older->newer = region->newer;
    }
}

static void leave_heap(struct tn_check_region *region) {
    struct tn_check_heap *heap = region->heap;
    bool has_bytes = region->span.lo < region->span.hi;
    if (heap != NULL) {
        heap->live_regions--;
        heap->live_bytes -= has_bytes ? region->span.hi - region->span.lo : 0;
    }
    if (has_bytes) {
        tn_check_cover_remove(heap != NULL ? &heap->live : &region->plane->loose, &region->span);
    }
    region->heap = NULL;
}

static void stash_written(const struct tn_check_call *call, struct tn_check_region *region) {
    tn_check_written_fini(&tn_check_model.kept.written);
    tn_check_model.kept.written = region->written;
    tn_check_model.kept.lo = region->lo;
    tn_check_model.kept.space = region->space;
    tn_check_model.kept.thread = call->by.thread;
    tn_check_model.kept.own = call->own;
    region->written = (struct tn_check_written){0};
}

static bool is_written_at_all(const struct tn_check_written *written) {
    return written->more != NULL || written->lo < written->hi;
}

void tn_check_region_end(struct tn_check_call *call, struct tn_check_region *region,
                         enum tn_check_end why) {
    end_nested(call, region);
    region->ended = call->by;
    if (tn_check_canary_enabled()) {
        tn_check_canary_region_end(call, region, why);
    }
    judge_unused(call, region);
    tn_check_forward_region_end(region);
    unlink_region(region);
    leave_heap(region);
    if (region->handle != 0) {
        (void)tn_slots_remove(&tn_check_model.region_handles, region->handle, NULL);
    }
    region->end = (uint8_t)why;
    region->domain->regions--;
    tn_check_model.stats.regions_live--;
    tn_check_model.stats.bytes_live -= region->hi - region->lo;
    if (!region->told && is_written_at_all(&region->written) &&
        tn_check_model.options->realloc_keep) {
        stash_written(call, region);
    }
    tn_check_region_retire(region);
}

// ---- changing

void tn_check_region_resize(struct tn_check_call *call, struct tn_check_region *region,
                            uint64_t bytes) {
    struct tn_check_heap *heap = region->heap;
    tn_check_canary_remove(call, region);
    if (region->span.lo < region->span.hi) {
        tn_check_cover_remove(heap != NULL ? &heap->live : &region->plane->loose, &region->span);
        if (heap != NULL) {
            heap->live_bytes -= region->span.hi - region->span.lo;
        }
    }
    tn_check_model.stats.bytes_live += bytes - (region->hi - region->lo);
    region->hi = region->lo + bytes;
    region->taken = region->taken > bytes ? region->taken : bytes;
    if (heap != NULL) {
        heap->live_regions--;
        place_in_heap(call, region);
    } else {
        place_loose(region);
    }
}

void tn_check_region_permit(struct tn_check_call *call, struct tn_check_region *region,
                            uint32_t flags) {
    region->permission = (uint8_t)(flags & TN_CHECK_MAY_ALL);
    region->permitted = call->by;
    tn_check_forward_permission(region);
}
