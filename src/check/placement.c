// SPDX-License-Identifier: Apache-2.0
// Judges where regions lie: outside of their heap, over bytes that a live region occupies, and
// against the rule by which their heap is divided. Called with the model's lock held. A region that
// overlaps another is the newer one, or has just changed its size.
#include <inttypes.h>

#include "algo/rule.h"
#include "check/describe.h"
#include "check/options.h"

static uint64_t min_address(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t max_address(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bool has_rule(const struct tn_check_heap *heap) { return heap->rule.start != 0; }

// ---- findings

// Begins a report about a region whose call is the reporting one. `other` is the region beside it,
// or NULL.
static struct tn_check_report *describe_pair(struct tn_check_report *report,
                                             const struct tn_check_call *call,
                                             const struct tn_check_region *region,
                                             const struct tn_check_region *other) {
    tn_check_report_set_range(report, region->lo, tn_check_region_bytes(region));
    if (region->begun.event == call->by.event)
        tn_check_describe_new_region(report, region);
    else
        tn_check_describe_region(report, region, region->lo);
    if (other != NULL) tn_check_describe_second(report, other, region->lo);
    return report;
}

// ---- inside the heap

static void judge_inside(struct tn_check_call *call, const struct tn_check_region *region) {
    const struct tn_check_heap *heap = region->heap;
    bool after = region->hi > heap->hi;
    uint64_t edge = after ? heap->hi : heap->lo;
    uint64_t bytes = after ? region->hi - heap->hi : heap->lo - region->lo;
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_REGION_OUT_OF_HEAP,
                             "R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") exceeds heap H%" PRIu64
                             " %s 0x%" PRIx64 " by %" PRIu64 " byte(s)",
                             region->serial, region->lo, tn_check_region_bytes(region),
                             heap->serial, after ? "end" : "start", edge, bytes);
    tn_check_report_set_range(report, region->lo, tn_check_region_bytes(region));
    tn_check_describe_heap(report, heap);
    tn_check_describe_region(report, region, region->lo);
}

// ---- bytes of two regions

// Returns true if both regions may have the same bytes:
// - Domains are layers of a program, which may describe the same block. Those with quirks register
//   statistics.
// - MSTX's clients register the tensors of an operator, and its output may be its input.
// - A client may divide a block of a pool of Tarn without registering a heap in it.
static bool may_share(const struct tn_check_region *a, const struct tn_check_region *b) {
    if (a->domain != b->domain || a->domain->quirk || (!a->own && !b->own)) return true;
    if (a->own && b->own)
        return !a->from_event && !b->from_event && a->lo == b->lo && a->hi == b->hi;
    const struct tn_check_region *block = a->own ? b : a;
    const struct tn_check_region *part = a->own ? a : b;
    return part->lo >= block->lo && part->hi <= block->lo + block->taken;
}

static void report_overlap(struct tn_check_call *call, const struct tn_check_region *region,
                           const struct tn_check_region *other) {
    uint64_t lo = max_address(region->lo, other->lo);
    uint64_t hi = min_address(region->lo + region->taken, other->lo + other->taken);
    bool unused = lo >= min_address(region->hi, other->hi); // bytes behind the end of one of them
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_REGION_OVERLAP,
        "R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") overlaps live R%" PRIu64 " by %" PRIu64
        " byte(s)%s",
        region->serial, region->lo, tn_check_region_bytes(region), other->serial,
        unused ? hi - lo : min_address(region->hi, other->hi) - lo,
        unused                    ? ", which one of them occupies behind its end"
        : region->lo == other->lo ? "; both begin at the same address"
                                  : "");
    if (tn_check_model.options->overlap == TN_CHECK_OVERLAP_WARN)
        report->severity = TN_CHECK_SEVERITY_WARN;
    (void)describe_pair(report, call, region, other);
}

// Returns the newest of the older regions that share bytes with the region, and must not.
static const struct tn_check_region *find_overlap(const struct tn_check_region *region) {
    const struct tn_check_span *span = &region->span;
    for (struct tn_check_span *older = span->next; older != NULL; older = older->next) {
        const struct tn_check_region *other = tn_check_region_of_span(older);
        if (older->lo < span->hi && older->hi > span->lo && !may_share(region, other)) return other;
    }
    return NULL;
}

// ---- the bytes behind a region

// Returns 0 if there is no rule.
static uint64_t bytes_by_rule(const struct tn_check_region *region) {
    uint64_t bytes = tn_check_region_bytes(region);
    bool ruled = region->heap != NULL && has_rule(region->heap) && !region->domain->rounds;
    return ruled && bytes != 0 ? tn_rule_occupied(&region->heap->rule, bytes) : 0;
}

uint64_t tn_check_region_needs(const struct tn_check_region *region) {
    return max_address(region->taken, bytes_by_rule(region));
}

static struct tn_check_report *report_padding(struct tn_check_call *call,
                                              const struct tn_check_region *region,
                                              const struct tn_check_region *needs,
                                              const struct tn_check_region *other,
                                              const char *where, uint64_t at) {
    const tarn_rule *rule = &region->heap->rule;
    uint64_t bytes = tn_check_region_bytes(needs);
    struct tn_check_report *report =
        tn_check_call_report(call, TN_CHECK_KIND_PLACEMENT_PADDING,
                             "the %" PRIu64 " byte(s) of R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64
                             ") need %" PRIu64 " (rounded up to %u, and %u more), but %s +%" PRIu64,
                             bytes, needs->serial, needs->lo, bytes, tn_rule_occupied(rule, bytes),
                             rule->rounding, rule->padding, where, at - needs->lo);
    return describe_pair(report, call, region, other);
}

// `low` begins before `high`, and one of them is the region of the call. Returns true after a finding.
static bool judge_pair(struct tn_check_call *call, const struct tn_check_region *region,
                       const struct tn_check_region *low, const struct tn_check_region *high) {
    const struct tn_check_region *other = region == low ? high : low;
    if (high->lo < low->hi || low->lo + tn_check_region_needs(low) <= high->lo ||
        may_share(low, high))
        return false;
    if (low->lo + low->taken <= high->lo)
        (void)report_padding(call, region, low, other, "the next live region begins at", high->lo);
    else if (tn_check_model.options->overlap != TN_CHECK_OVERLAP_OFF)
        report_overlap(call, region, other);
    return true;
}

static bool judge_neighbours(struct tn_check_call *call, const struct tn_check_region *region) {
    const struct tn_check_cover *live = &region->heap->live;
    struct tn_check_span *before = tn_check_cover_before(live, region->lo);
    struct tn_check_span *after = tn_check_cover_after(live, region->hi - 1);
    return (before != NULL && judge_pair(call, region, tn_check_region_of_span(before), region)) ||
           (after != NULL && judge_pair(call, region, region, tn_check_region_of_span(after)));
}

// ---- rules

static void judge_start(struct tn_check_call *call, const struct tn_check_region *region) {
    uint32_t start = region->heap->rule.start;
    if (region->lo % start == 0) return;
    struct tn_check_report *report = tn_check_call_report(
        call, TN_CHECK_KIND_PLACEMENT_START,
        "R%" PRIu64 " [0x%" PRIx64 ",+%" PRIu64 ") begins %" PRIu64
        " byte(s) behind a multiple of %u, which its heap requires",
        region->serial, region->lo, tn_check_region_bytes(region), region->lo % start, start);
    (void)describe_pair(report, call, region, NULL);
}

// The padding of the last region must lie in the heap, or in that of the memory beneath it.
static void judge_room(struct tn_check_call *call, const struct tn_check_region *region) {
    const struct tn_check_heap *heap = region->heap;
    uint64_t needed = bytes_by_rule(region);
    if (region->taken > tn_check_region_bytes(region) && region->taken < needed)
        (void)report_padding(call, region, region, NULL, "it occupies only",
                             region->lo + region->taken);
    else if (region->hi <= heap->hi && region->lo + needed > heap->room)
        (void)report_padding(call, region, region, NULL, "the memory ends at", heap->room);
}

static void judge_rule(struct tn_check_call *call, const struct tn_check_region *region) {
    const struct tn_check_heap *heap = region->heap;
    if (has_rule(heap)) judge_start(call, region);
    if (!judge_neighbours(call, region) && has_rule(heap)) judge_room(call, region);
}

// ---- all of it

void tn_check_placement_judge(struct tn_check_call *call, const struct tn_check_region *region) {
    const struct tn_check_heap *heap = region->heap;
    if (heap != NULL && (region->lo < heap->lo || region->hi > heap->hi))
        judge_inside(call, region);
    if (region->span.lo >= region->span.hi) return;
    const struct tn_check_region *other = find_overlap(region);
    if (other == NULL && heap != NULL && heap->spaced && region->own)
        judge_rule(call, region);
    else if (other != NULL && tn_check_model.options->overlap != TN_CHECK_OVERLAP_OFF)
        report_overlap(call, region, other);
}
