// SPDX-License-Identifier: Apache-2.0
// See schedule.h. Each step has a clock: for each branch, the number of its steps that the step
// comes after, including itself. A step continues a branch whose last step comes before it, so that
// the branch adds no order; if there is none, it begins a branch.
#include "compat/runtime/graph/schedule.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct maker {
    const struct tn_rt_plan *plan;
    struct tn_rt_schedule *schedule;
    uint32_t width;      // limit of the branches
    uint32_t wait_count; // of schedule->waits
    uint32_t *step_of;   // by id of the node
    uint32_t *clocks;    // `width` for each step
    struct {
        uint32_t length;
        uint32_t last;   // step
        uint32_t latest; // of the steps of this branch that the current node depends on
    } branch[TN_RT_BRANCHES];
};

static uint32_t *clock_of(const struct maker *m, uint32_t step) {
    return m->clocks + (size_t)step * m->width;
}

static void merge_clock(const struct maker *m, uint32_t *clock, uint32_t step) {
    const uint32_t *other = clock_of(m, step);
    for (uint32_t b = 0; b < m->width; b++) clock[b] = clock[b] > other[b] ? clock[b] : other[b];
}

// Each root begins at most one branch, and so does each edge of a node after its first.
static uint32_t count_branches(const struct tn_rt_plan *plan) {
    uint32_t width = 0;
    const struct tn_rt_plan_node *node = tn_rt_plan_next(plan, 0);
    for (; node != NULL && width < TN_RT_BRANCHES; node = tn_rt_plan_next(plan, node->id + 1)) {
        width += node->before.count == 0 ? 1 : 0;
        width += node->after.count > 1 ? node->after.count - 1 : 0;
    }
    return width < TN_RT_BRANCHES ? width : TN_RT_BRANCHES;
}

// Merges the clocks of a step's dependencies into its own, and finds the latest of them in each
// branch.
static void merge_dependencies(struct maker *m, uint32_t at) {
    const struct tn_rt_ids *before = &m->schedule->steps[at].node->before;
    for (uint32_t b = 0; b < m->width; b++) m->branch[b].latest = NONE;
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t step = m->step_of[before->of[i]];
        uint32_t b = m->schedule->steps[step].branch;
        merge_clock(m, clock_of(m, at), step);
        if (m->branch[b].latest == NONE || m->branch[b].latest < step) m->branch[b].latest = step;
    }
}

// Prefers a branch whose last step is a dependency, then any branch whose last step comes before
// this one, then a new branch. At the limit it shares a branch, which adds order.
static uint32_t choose_branch(struct maker *m, uint32_t at) {
    const struct tn_rt_ids *before = &m->schedule->steps[at].node->before;
    uint32_t count = m->schedule->branch_count;
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t step = m->step_of[before->of[i]];
        uint32_t b = m->schedule->steps[step].branch;
        if (m->branch[b].last == step) return b;
    }
    for (uint32_t b = 0; b < count; b++)
        if (clock_of(m, at)[b] == m->branch[b].length) return b;
    if (count < m->width) return m->schedule->branch_count++;
    return before->count > 0 ? m->schedule->steps[m->step_of[before->of[0]]].branch : at % count;
}

// Makes the current step, or the end of the launch, wait for another step.
static void add_wait(struct maker *m, uint32_t step) {
    struct tn_rt_step *awaited = &m->schedule->steps[step];
    if (awaited->event == 0) awaited->event = m->schedule->event_count++;
    m->schedule->waits[m->wait_count++] = awaited->event;
}

// Places a step. It does not wait for events that the step before it in its branch waits for.
static void place_step(struct maker *m, uint32_t at) {
    struct tn_rt_step *step = &m->schedule->steps[at];
    uint32_t *clock = clock_of(m, at);
    merge_dependencies(m, at);
    step->branch = choose_branch(m, at);
    step->first_wait = m->wait_count;
    uint32_t last = m->branch[step->branch].length > 0 ? m->branch[step->branch].last : NONE;
    for (uint32_t b = 0; b < m->width; b++) {
        uint32_t latest = m->branch[b].latest;
        if (latest != NONE && b != step->branch &&
            (last == NONE || clock_of(m, last)[b] < clock_of(m, latest)[b]))
            add_wait(m, latest);
    }
    if (last != NONE) merge_clock(m, clock, last);
    step->wait_count = m->wait_count - step->first_wait;
    clock[step->branch] = ++m->branch[step->branch].length;
    m->branch[step->branch].last = at;
}

static void fill_schedule(struct maker *m, const uint32_t *order) {
    struct tn_rt_schedule *schedule = m->schedule;
    schedule->event_count = 1;
    for (uint32_t at = 0; at < schedule->count; at++) {
        schedule->steps[at].node = tn_rt_plan_find(m->plan, order[at]);
        m->step_of[order[at]] = at;
        place_step(m, at);
    }
    schedule->first_join = m->wait_count;
    for (uint32_t b = 1; b < schedule->branch_count; b++)
        if (clock_of(m, m->branch[0].last)[b] < m->branch[b].length) add_wait(m, m->branch[b].last);
    schedule->join_count = m->wait_count - schedule->first_join;
    if (schedule->branch_count <= 1) schedule->event_count = 0;
}

// Each edge causes at most one wait, and each branch one at its end.
static bool allocate(struct maker *m) {
    struct tn_rt_schedule *schedule = m->schedule;
    size_t waits = m->width;
    const struct tn_rt_plan_node *node = tn_rt_plan_next(m->plan, 0);
    for (; node != NULL; node = tn_rt_plan_next(m->plan, node->id + 1)) waits += node->before.count;
    schedule->count = m->plan->count;
    schedule->steps =
        (struct tn_rt_step *)calloc((size_t)schedule->count + 1, sizeof *schedule->steps);
    schedule->waits = (uint32_t *)malloc((waits + 1) * sizeof *schedule->waits);
    m->step_of = (uint32_t *)malloc(((size_t)m->plan->end + 1) * sizeof *m->step_of);
    m->clocks = (uint32_t *)calloc((size_t)schedule->count * m->width + 1, sizeof *m->clocks);
    return schedule->steps != NULL && schedule->waits != NULL && m->step_of != NULL &&
           m->clocks != NULL;
}

tn_rt_error tn_rt_schedule_make(const struct tn_rt_plan *plan, struct tn_rt_schedule *schedule) {
    struct maker m = {.plan = plan, .schedule = schedule, .width = count_branches(plan)};
    uint32_t *order = (uint32_t *)malloc(((size_t)plan->count + 1) * sizeof *order);
    *schedule = (struct tn_rt_schedule){.count = 0};
    tn_rt_error error = order != NULL && allocate(&m)
                            ? tn_rt_plan_sort(plan, order)
                            : tn_rt_fail(TN_RT_OUT_OF_MEMORY,
                                         "no host memory for the order of %u nodes", plan->count);
    if (error == TN_RT_OK)
        fill_schedule(&m, order);
    else
        tn_rt_schedule_free(schedule);
    free(m.clocks);
    free(m.step_of);
    free(order);
    return error;
}

void tn_rt_schedule_free(struct tn_rt_schedule *schedule) {
    free(schedule->steps);
    free(schedule->waits);
    *schedule = (struct tn_rt_schedule){.count = 0};
}
