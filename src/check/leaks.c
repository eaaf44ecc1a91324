// SPDX-License-Identifier: Apache-2.0
// Leaks. Regions that one pool allocated at one place are one finding, so that a loop that leaks is
// reported once.
#include <inttypes.h>
#include <stdlib.h>

#include "check/describe.h"
#include "check/options.h"
#include "check/resource.h"

#define ANY_STEP UINT64_MAX

struct group {
    const struct tn_check_region *first; // the oldest region
    uint64_t bytes;
    uint64_t count;
};

static uint64_t pool_of(const struct tn_check_region *region) {
    const struct tn_check_heap *heap = region->heap;
    return heap == NULL ? 0 : heap->object != 0 ? heap->object : heap->serial;
}

static int compare_regions(const void *left, const void *right) {
    const struct tn_check_region *a = *(const struct tn_check_region *const *)left;
    const struct tn_check_region *b = *(const struct tn_check_region *const *)right;
    if (a->begun.stack != b->begun.stack) return a->begun.stack < b->begun.stack ? -1 : 1;
    if (pool_of(a) != pool_of(b)) return pool_of(a) < pool_of(b) ? -1 : 1;
    return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static struct tn_check_report *begin_report(struct tn_check_call *call, enum tn_check_kind kind,
                                            const struct group *group) {
    const struct tn_check_region *first = group->first;
    if (kind == TN_CHECK_KIND_STEP_GROWTH)
        return tn_check_call_report(
            call, kind,
            "%" PRIu64 " byte(s) in %" PRIu64 " region(s) allocated in step %" PRIu64
            " still live after step %" PRIu64,
            group->bytes, group->count, first->step, tn_check_model.step - 1);
    struct tn_check_report *report =
        kind == TN_CHECK_KIND_LEAK_IN_HEAP
            ? tn_check_call_report(call, kind,
                                   "heap H%" PRIu64 " ends with %" PRIu64 " byte(s) in %" PRIu64
                                   " region(s)",
                                   first->heap->serial, group->bytes, group->count)
            : tn_check_call_report(call, kind, "%" PRIu64 " byte(s) in %" PRIu64 " region(s)",
                                   group->bytes, group->count);
    tn_check_report_set_leak(report, group->bytes, group->count);
    return report;
}

// Regions to report.
struct leaked {
    const struct tn_check_region **list;
    uint64_t count;
};

static struct leaked make_list(uint64_t room) {
    return (struct leaked){tn_check_allocate((room + 1) * sizeof(struct tn_check_region *)), 0};
}

// Reports the regions in groups and frees the list.
static void report_list(struct tn_check_call *call, enum tn_check_kind kind,
                        struct leaked *leaked) {
    const struct tn_check_region **regions = leaked->list;
    qsort((void *)regions, leaked->count, sizeof(struct tn_check_region *), compare_regions);
    for (uint64_t i = 0; i < leaked->count;) {
        struct group group = {regions[i], 0, 0};
        const struct tn_check_region *first = regions[i];
        for (; i < leaked->count && regions[i]->begun.stack == first->begun.stack &&
               pool_of(regions[i]) == pool_of(first) && regions[i]->domain == first->domain;
             i++) {
            group.bytes += regions[i]->hi - regions[i]->lo;
            group.count++;
        }
        struct tn_check_report *report = begin_report(call, kind, &group);
        tn_check_report_set_range(report, first->lo, group.bytes);
        tn_check_describe_region(report, first, first->lo);
    }
    free((void *)regions);
}

// Reports the live regions of one step, or of all steps if `step` is ANY_STEP. The lists of
// regions are sorted by age, so that older steps are not walked.
static void report_regions(struct tn_check_call *call, enum tn_check_kind kind, uint64_t step) {
    struct leaked leaked = make_list(tn_check_region_counts().live);
    for (unsigned i = 0; i < TN_CHECK_SHARDS; i++) {
        for (struct tn_check_region *r = tn_check_model.shard[i].regions;
             r != NULL && (step == ANY_STEP || r->step >= step); r = r->older) {
            bool known = tn_load_relaxed(&r->domain->unnamed_ends) == 0; // see tn_check_leaks_end()
            if (known && r->serial > tn_check_model.inherited &&
                (step == ANY_STEP || r->step == step))
                leaked.list[leaked.count++] = r;
        }
    }
    report_list(call, kind, &leaked);
}

static bool list_span(struct tn_check_span *span, void *context) {
    struct leaked *leaked = (struct leaked *)context;
    const struct tn_check_region *region = tn_check_region_of_span(span);
    if (region->serial > tn_check_model.inherited) leaked->list[leaked->count++] = region;
    return true;
}

// Regions without bytes are not in the cover, and have nothing to leak.
void tn_check_leaks_heap(struct tn_check_call *call, const struct tn_check_heap *heap) {
    const struct tn_check_options *options = tn_check_model.options;
    if (!options->heap_exit_leaks || options->leaks == TN_CHECK_LEAKS_OFF) return;
    struct leaked leaked = make_list(heap->live_regions);
    tn_check_cover_walk(&heap->live, heap->lo, heap->hi, list_span, &leaked);
    report_list(call, TN_CHECK_KIND_LEAK_IN_HEAP, &leaked);
}

// Clients in quirk domains receive no handles. One that ends regions by handle all the same leaves
// open which regions it ended, so none of its domain counts as a leak.
void tn_check_leaks_end(struct tn_check_call *call) {
    if (tn_check_model.options->leaks == TN_CHECK_LEAKS_OFF) return;
    for (const struct tn_check_domain *d = tn_check_model.domains; d != NULL; d = d->next) {
        uint64_t count = tn_load_relaxed(&d->unnamed_ends);
        if (count != 0) {
            struct tn_check_report *report = tn_check_call_report(
                call, TN_CHECK_KIND_LEAK,
                "unknown in domain \"%s\": %" PRIu64 " region(s) were ended by handles, which "
                "a quirk domain has none of",
                d->name, count);
            report->severity = TN_CHECK_SEVERITY_NOTE;
        }
    }
    report_regions(call, TN_CHECK_KIND_LEAK, ANY_STEP);
}

void tn_check_leaks_step(struct tn_check_call *call) {
    uint64_t ended = tn_check_model.step++;
    tn_check_model.stats.steps = tn_check_model.step;
    if (tn_check_model.options->leaks == TN_CHECK_LEAKS_STEP)
        tn_check_growth_step(tn_check_region_counts().live_bytes + tn_check_resource_live_bytes());
    if (tn_check_model.options->leaks == TN_CHECK_LEAKS_STEP && ended >= 2)
        report_regions(call, TN_CHECK_KIND_STEP_GROWTH, ended - 1);
}
