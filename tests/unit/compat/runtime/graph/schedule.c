// SPDX-License-Identifier: Apache-2.0
// Schedules: a launch orders two nodes exactly if their plan does.
#include "compat/runtime/graph/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "support/api.h"

enum { MAX = 160 };

static const struct tn_rt_op nothing = {.work = TN_RT_WORK_HOST};

static uint32_t add(struct tn_rt_plan *plan, const uint32_t *before, uint32_t count) {
    uint32_t id = UINT32_MAX;
    assert_int_equal(tn_rt_plan_add(plan, NULL, &nothing, false, before, count, &id), TN_RT_OK);
    return id;
}

// ---- the order of a schedule, by id: comes[a][b] if a precedes b

typedef bool order_matrix[MAX][MAX];

static order_matrix by_plan, by_schedule;

static void close_transitively(order_matrix comes, uint32_t count) {
    for (uint32_t via = 0; via < count; via++)
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; comes[a][via] && b < count; b++)
                comes[a][b] = comes[a][b] || comes[via][b];
}

static void read_plan(const struct tn_rt_plan *plan) {
    memset(by_plan, 0, sizeof by_plan);
    for (uint32_t id = 0; id < plan->end; id++)
        for (uint32_t i = 0; i < plan->nodes[id]->before.count; i++)
            by_plan[plan->nodes[id]->before.of[i]][id] = true;
    close_transitively(by_plan, plan->end);
}

// Reads the order of the streams and events as a launch makes it. Asserts that each branch ends
// before the launching stream goes on, and that an event is recorded before a wait for it is
// submitted. A launch lets the branches begin behind event 0.
static void read_schedule(const struct tn_rt_schedule *schedule) {
    uint32_t last[TN_RT_BRANCHES];
    uint32_t recorded[MAX + 1];
    memset(by_schedule, 0, sizeof by_schedule);
    memset(last, 0xff, sizeof last);
    memset(recorded, 0xff, sizeof recorded);
    for (uint32_t at = 0; at < schedule->count; at++) {
        const struct tn_rt_step *step = &schedule->steps[at];
        uint32_t id = step->node->id;
        assert_true(step->branch < schedule->branch_count);
        for (uint32_t i = step->first_wait; i < step->first_wait + step->wait_count; i++) {
            uint32_t event = schedule->waits[i];
            assert_true(event > 0 && event < schedule->event_count);
            assert_true(recorded[event] != UINT32_MAX);
            by_schedule[recorded[event]][id] = true;
        }
        if (last[step->branch] != UINT32_MAX) by_schedule[last[step->branch]][id] = true;
        last[step->branch] = id;
        if (step->event != 0) recorded[step->event] = id;
    }
    close_transitively(by_schedule, schedule->count);
    for (uint32_t b = 1; b < schedule->branch_count; b++) {
        bool joined = by_schedule[last[b]][last[0]];
        for (uint32_t i = 0; i < schedule->join_count && !joined; i++)
            joined = recorded[schedule->waits[schedule->first_join + i]] == last[b];
        assert_true(joined);
    }
}

static void assert_exact(const struct tn_rt_plan *plan, struct tn_rt_schedule *schedule) {
    assert_int_equal(tn_rt_schedule_make(plan, schedule), TN_RT_OK);
    assert_int_equal(schedule->count, plan->count);
    read_plan(plan);
    read_schedule(schedule);
    bool shared = schedule->branch_count == TN_RT_BRANCHES;
    for (uint32_t a = 0; a < plan->end; a++)
        for (uint32_t b = 0; b < plan->end; b++)
            assert_true(by_schedule[a][b] == by_plan[a][b] || (shared && by_schedule[a][b]));
}

// ---- shapes

static void a_chain_has_one_branch_and_no_events(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    struct tn_rt_schedule schedule;
    (void)state;
    uint32_t id = add(plan, NULL, 0);
    for (int i = 0; i < 20; i++) id = add(plan, &id, 1);
    assert_exact(plan, &schedule);
    assert_int_equal(schedule.branch_count, 1);
    assert_int_equal(schedule.event_count, 0);
    assert_int_equal(schedule.join_count, 0);
    tn_rt_schedule_free(&schedule);
    tn_rt_plan_free(plan);
}

static void an_empty_plan_has_no_steps(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    struct tn_rt_schedule schedule;
    (void)state;
    assert_int_equal(tn_rt_schedule_make(plan, &schedule), TN_RT_OK);
    assert_int_equal(schedule.count, 0);
    assert_int_equal(schedule.branch_count, 0);
    tn_rt_schedule_free(&schedule);
    tn_rt_plan_free(plan);
}

static void forks_one_after_the_other_use_the_same_branches(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    struct tn_rt_schedule schedule;
    (void)state;
    uint32_t join = add(plan, NULL, 0);
    for (int i = 0; i < 10; i++) {
        uint32_t sides[] = {add(plan, &join, 1), add(plan, &join, 1), add(plan, &join, 1)};
        join = add(plan, sides, 3);
    }
    assert_exact(plan, &schedule);
    assert_int_equal(schedule.branch_count, 3);
    tn_rt_schedule_free(&schedule);
    tn_rt_plan_free(plan);
}

static void more_branches_than_the_limit_share_streams(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    struct tn_rt_schedule schedule;
    (void)state;
    for (int i = 0; i < TN_RT_BRANCHES + 20; i++) {
        uint32_t root = add(plan, NULL, 0);
        if (i % 3 == 0) (void)add(plan, &root, 1);
    }
    assert_exact(plan, &schedule);
    assert_int_equal(schedule.branch_count, TN_RT_BRANCHES);
    tn_rt_schedule_free(&schedule);
    tn_rt_plan_free(plan);
}

static void a_cycle_leaves_no_schedule(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    struct tn_rt_schedule schedule;
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t b = add(plan, &a, 1);
    assert_int_equal(tn_rt_plan_link(plan, b, a), TN_RT_OK);
    assert_int_equal(tn_rt_schedule_make(plan, &schedule), TN_RT_INVALID_VALUE);
    assert_null(schedule.steps);
    tn_rt_plan_free(plan);
}

// Edges lead from smaller to greater ids for some plans, and the other way for others.
static void random_plans_are_ordered_exactly(void **state) {
    (void)state;
    srand(11);
    for (int round = 0; round < 300; round++) {
        struct tn_rt_plan *plan = tn_rt_plan_new();
        struct tn_rt_schedule schedule;
        uint32_t nodes = 1 + (uint32_t)rand() % 40;
        uint32_t reach = 1 + (uint32_t)rand() % nodes;
        for (uint32_t i = 0; i < nodes; i++) (void)add(plan, NULL, 0);
        for (uint32_t i = 0; i < nodes * (uint32_t)(rand() % 3); i++) {
            uint32_t a = (uint32_t)rand() % nodes;
            uint32_t b = a + 1 + (uint32_t)rand() % reach;
            if (b >= nodes) continue;
            if (round % 2 == 0)
                (void)tn_rt_plan_link(plan, a, b); // refused if it is there
            else
                (void)tn_rt_plan_link(plan, b, a);
        }
        assert_exact(plan, &schedule);
        assert_true(schedule.branch_count < TN_RT_BRANCHES);
        tn_rt_schedule_free(&schedule);
        tn_rt_plan_free(plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_has_one_branch_and_no_events),
        cmocka_unit_test(an_empty_plan_has_no_steps),
        cmocka_unit_test(forks_one_after_the_other_use_the_same_branches),
        cmocka_unit_test(more_branches_than_the_limit_share_streams),
        cmocka_unit_test(a_cycle_leaves_no_schedule),
        cmocka_unit_test(random_plans_are_ordered_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
