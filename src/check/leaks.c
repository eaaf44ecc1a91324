// SPDX-License-Identifier: Apache-2.0
// Leaks. Regions that one pool allocated at one place are one finding, so that a loop that leaks is
// reported once.
#include "check/leaks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "check/describe.h"
#include "check/heaps.h"
#include "check/options.h"

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
    if (a->begun.stack != b->begun.stack) {
        return a->begun.stack < b->begun.stack ? -1 : 1;
    }
    if (pool_of(a) != pool_of(b)) {
        return pool_of(a) < pool_of(b) ? -1 : 1;
    }
    return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static void report_group(struct tn_check_call *call, enum tn_check_kind kind,
                         const struct group *group) {
    const struct tn_check_region *first = group->first;
    struct tn_check_report *report = NULL;
    if (kind == TN_CHECK_KIND_LEAK) {
        report = tn_check_call_report(call, kind, "%" PRIu64 " byte(s) in %" PRIu64 " region(s)",
                                      group->bytes, group->count);
        tn_check_report_set_leak(report, group->bytes, group->count);
    } else {
        report = tn_check_call_report(
            call, kind,
            "%" PRIu64 " byte(s) in %" PRIu64 " region(s) allocated in step %" PRIu64
            " still live after step %" PRIu64,
            group->bytes, group->count, first->step, tn_check_model.step - 1);
    }
    tn_check_report_set_range(report, first->lo, group->bytes);
    tn_check_describe_region(report, first, first->lo);
}

// Reports the live regions of one step, or of all steps if `step` is ANY_STEP. The list of regions
// is sorted by age, so that older steps are not walked.
static void report_regions(struct tn_check_call *call, enum tn_check_kind kind, uint64_t step) {
    struct tn_check_region **regions = tn_check_allocate((tn_check_model.stats.regions_live + 1) *
                                                         sizeof(struct tn_check_region *));
    uint64_t count = 0;
    for (struct tn_check_region *r = tn_check_model.regions;
         r != NULL && (step == ANY_STEP || r->step >= step); r = r->older) {
        if (step == ANY_STEP ? r->serial > tn_check_model.inherited : r->step == step) {
            regions[count++] = r;
        }
    }
    qsort((void *)regions, count, sizeof(struct tn_check_region *), compare_regions);
    for (uint64_t i = 0; i < count;) {
        struct group group = {regions[i], 0, 0};
        const struct tn_check_region *first = regions[i];
        for (; i < count && regions[i]->begun.stack == first->begun.stack &&
               pool_of(regions[i]) == pool_of(first) && regions[i]->domain == first->domain;
             i++) {
            group.bytes += regions[i]->hi - regions[i]->lo;
            group.count++;
        }
        report_group(call, kind, &group);
    }
    free((void *)regions);
}

void tn_check_leaks_end(struct tn_check_call *call) {
    if (tn_check_model.options->leaks != TN_CHECK_LEAKS_OFF) {
        report_regions(call, TN_CHECK_KIND_LEAK, ANY_STEP);
    }
}

void tn_check_leaks_step(struct tn_check_call *call) {
    uint64_t ended = tn_check_model.step++;
    tn_check_model.stats.steps = tn_check_model.step;
    if (tn_check_model.options->leaks == TN_CHECK_LEAKS_STEP && ended >= 2) {
        report_regions(call, TN_CHECK_KIND_STEP_GROWTH, ended - 1);
    }
}
