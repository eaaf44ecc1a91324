// SPDX-License-Identifier: Apache-2.0
// Leaks, grouped by where they were allocated and in which pool: a loop that leaks is one finding.
#include "check/leaks.h"

#include <stdlib.h>

#include "check/describe.h"
#include "check/heaps.h"
#include "check/options.h"

struct group {
    const struct tn_check_region *first; // the oldest
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

static bool same_group(const struct tn_check_region *a, const struct tn_check_region *b) {
    return a->begun.stack == b->begun.stack && pool_of(a) == pool_of(b) && a->domain == b->domain;
}

static void report_group(struct tn_check_call *call, enum tn_check_kind kind,
                         const struct group *group) {
    const struct tn_check_region *first = group->first;
    struct tn_check_report *report = NULL;
    if (kind == TN_CHECK_KIND_LEAK) {
        report = tn_check_call_report(call, kind, "%llu byte(s) in %llu region(s)",
                                      (unsigned long long)group->bytes,
                                      (unsigned long long)group->count);
        tn_check_report_set_leak(report, group->bytes, group->count);
    } else {
        report = tn_check_call_report(
            call, kind,
            "%llu byte(s) in %llu region(s) allocated in step %llu still live after step %llu",
            (unsigned long long)group->bytes, (unsigned long long)group->count,
            (unsigned long long)first->step, (unsigned long long)tn_check_model.step - 1);
    }
    report->addr = first->lo;
    report->bytes = group->bytes;
    tn_check_describe_region(report, first, first->lo);
}

// Tells the regions of the array, group by group.
static void report_groups(struct tn_check_call *call, enum tn_check_kind kind,
                          struct tn_check_region **region, uint64_t count) {
    qsort((void *)region, count, sizeof(struct tn_check_region *), compare_regions);
    for (uint64_t i = 0; i < count;) {
        struct group group = {region[i], 0, 0};
        for (; i < count && same_group(group.first, region[i]); i++) {
            group.bytes += region[i]->hi - region[i]->lo;
            group.count++;
        }
        report_group(call, kind, &group);
    }
}

void tn_check_leaks_end(struct tn_check_call *call) {
    uint64_t live = tn_check_model.stats.regions_live;
    if (tn_check_model.options->leaks == TN_CHECK_LEAKS_OFF || live == 0) {
        return;
    }
    struct tn_check_region **region =
        (struct tn_check_region **)tn_check_allocate(live * sizeof(struct tn_check_region *));
    uint64_t count = 0;
    for (struct tn_check_region *r = tn_check_model.regions; r != NULL; r = r->older) {
        if (r->serial > tn_check_model.inherited) {
            region[count++] = r;
        }
    }
    report_groups(call, TN_CHECK_KIND_LEAK, region, count);
    free((void *)region);
}

// The list is in order of birth, so only the youngest steps are walked.
void tn_check_leaks_step(struct tn_check_call *call) {
    uint64_t ended = tn_check_model.step++;
    tn_check_model.stats.steps = tn_check_model.step;
    if (tn_check_model.options->leaks != TN_CHECK_LEAKS_STEP || ended < 2) {
        return;
    }
    uint64_t count = 0;
    for (struct tn_check_region *r = tn_check_model.regions; r != NULL && r->step >= ended - 1;
         r = r->older) {
        count += r->step == ended - 1;
    }
    if (count == 0) {
        return;
    }
    struct tn_check_region **region =
        (struct tn_check_region **)tn_check_allocate(count * sizeof(struct tn_check_region *));
    count = 0;
    for (struct tn_check_region *r = tn_check_model.regions; r != NULL && r->step >= ended - 1;
         r = r->older) {
        if (r->step == ended - 1) {
            region[count++] = r;
        }
    }
    report_groups(call, TN_CHECK_KIND_STEP_GROWTH, region, count);
    free((void *)region);
}
