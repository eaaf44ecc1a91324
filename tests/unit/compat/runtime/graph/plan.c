// SPDX-License-Identifier: Apache-2.0
// Plans: nodes and edges in any order, copies, and the order of their nodes.
#include "compat/runtime/graph/plan.h"

#include <stdlib.h>
#include <string.h>

#include "support/api.h"
#include "support/exhaust.h"

// ---- work that is counted

static int kept;

static tn_rt_error run_nothing(const struct tn_rt_op *op, const struct tn_rt_where *where) {
    (void)op;
    (void)where;
    return TN_RT_OK;
}

static tn_rt_error keep_counted(struct tn_rt_op *op) {
    (void)op;
    kept++;
    return TN_RT_OK;
}

static void drop_counted(struct tn_rt_op *op) {
    (void)op;
    kept--;
}

static const struct tn_rt_op counted = {
    .work = TN_RT_WORK_HOST, .run = run_nothing, .keep = keep_counted, .drop = drop_counted};

static tn_rt_error refuse_to_keep(struct tn_rt_op *op) {
    (void)op;
    return tn_rt_fail(TN_RT_OUT_OF_MEMORY, "refused");
}

static uint32_t add(struct tn_rt_plan *plan, const uint32_t *before, uint32_t count) {
    uint32_t id = UINT32_MAX;
    assert_int_equal(tn_rt_plan_add(plan, NULL, &counted, false, before, count, &id), TN_RT_OK);
    return id;
}

static bool has(const struct tn_rt_ids *ids, uint32_t id) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < ids->count; i++) found += ids->of[i] == id ? 1 : 0;
    assert_true(found <= 1);
    return found == 1;
}

static void remove_node(struct tn_rt_plan *plan, uint32_t id) {
    struct tn_rt_plan_node *node = tn_rt_plan_remove(plan, id);
    assert_non_null(node);
    tn_rt_plan_node_free(node);
}

// ---- single calls

static void an_id_is_never_used_again(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t b = add(plan, &a, 1);
    remove_node(plan, b);
    assert_null(tn_rt_plan_find(plan, b));
    assert_null(tn_rt_plan_remove(plan, b));
    uint32_t c = add(plan, &a, 1);
    assert_int_not_equal(c, b);
    assert_ptr_equal(tn_rt_plan_next(plan, a + 1), tn_rt_plan_find(plan, c));
    assert_int_equal(tn_rt_plan_find(plan, c)->id, c);
    assert_int_equal(plan->count, 2);
    tn_rt_plan_free(plan);
    assert_int_equal(kept, 0);
}

static void an_edge_may_lead_to_an_earlier_node(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    uint32_t order[3];
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t b = add(plan, NULL, 0);
    uint32_t c = add(plan, NULL, 0);
    assert_int_equal(tn_rt_plan_link(plan, c, b), TN_RT_OK);
    assert_int_equal(tn_rt_plan_link(plan, b, a), TN_RT_OK);
    assert_int_equal(tn_rt_plan_sort(plan, order), TN_RT_OK);
    assert_int_equal(order[0], c);
    assert_int_equal(order[1], b);
    assert_int_equal(order[2], a);
    tn_rt_plan_free(plan);
}

static void edges_that_cannot_be_are_refused(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t b = add(plan, &a, 1);
    uint32_t twice[] = {a, a};
    uint32_t unknown = 7;
    uint32_t id = 99;
    assert_int_equal(tn_rt_plan_link(plan, a, b), TN_RT_INVALID_VALUE);
    assert_int_equal(tn_rt_plan_link(plan, a, a), TN_RT_INVALID_VALUE);
    assert_int_equal(tn_rt_plan_link(plan, a, unknown), TN_RT_INVALID_VALUE);
    assert_int_equal(tn_rt_plan_link(plan, unknown, a), TN_RT_INVALID_VALUE);
    assert_int_equal(tn_rt_plan_unlink(plan, b, a), TN_RT_INVALID_VALUE);
    assert_int_equal(tn_rt_plan_unlink(plan, a, unknown), TN_RT_INVALID_VALUE);
    assert_int_equal(tn_rt_plan_add(plan, NULL, &counted, false, twice, 2, &id),
                     TN_RT_INVALID_VALUE);
    assert_int_equal(tn_rt_plan_add(plan, NULL, &counted, false, &unknown, 1, &id),
                     TN_RT_INVALID_VALUE);
    assert_int_equal(id, 99);
    assert_int_equal(plan->count, 2);
    assert_int_equal(tn_rt_plan_find(plan, a)->after.count, 1);
    assert_int_equal(tn_rt_plan_unlink(plan, a, b), TN_RT_OK);
    assert_int_equal(tn_rt_plan_find(plan, a)->after.count, 0);
    assert_int_equal(tn_rt_plan_find(plan, b)->before.count, 0);
    tn_rt_plan_free(plan);
}

static void a_node_that_is_removed_takes_its_edges_with_it(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t b = add(plan, &a, 1);
    uint32_t c = add(plan, &b, 1);
    remove_node(plan, b);
    assert_int_equal(tn_rt_plan_find(plan, a)->after.count, 0);
    assert_int_equal(tn_rt_plan_find(plan, c)->before.count, 0);
    assert_int_equal(kept, 2);
    tn_rt_plan_free(plan);
    assert_int_equal(kept, 0);
}

static void a_cycle_is_found_and_named(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    uint32_t order[4];
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t b = add(plan, &a, 1);
    uint32_t c = add(plan, &b, 1);
    (void)add(plan, &c, 1); // behind the cycle
    assert_int_equal(tn_rt_plan_link(plan, c, b), TN_RT_OK);
    assert_int_equal(tn_rt_plan_sort(plan, order), TN_RT_INVALID_VALUE);
    assert_true(strstr(tn_rt_text(), "cycle: node 1 ") != NULL ||
                strstr(tn_rt_text(), "cycle: node 2 ") != NULL);
    assert_int_equal(tn_rt_plan_unlink(plan, c, b), TN_RT_OK);
    assert_int_equal(tn_rt_plan_sort(plan, order), TN_RT_OK);
    tn_rt_plan_free(plan);
}

static void a_copy_has_the_same_ids_and_its_own_work(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    struct tn_rt_plan *copy = NULL;
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t gone = add(plan, NULL, 0);
    uint32_t b = add(plan, &a, 1);
    remove_node(plan, gone);
    assert_int_equal(tn_rt_plan_copy(plan, &copy), TN_RT_OK);
    assert_int_equal(kept, 4);
    remove_node(plan, a);
    tn_rt_plan_free(plan);
    assert_int_equal(kept, 2);
    assert_int_equal(copy->count, 2);
    assert_null(tn_rt_plan_find(copy, gone));
    assert_true(has(&tn_rt_plan_find(copy, b)->before, a));
    assert_true(has(&tn_rt_plan_find(copy, a)->after, b));
    assert_int_equal(add(copy, &b, 1), b + 1);
    tn_rt_plan_free(copy);
    assert_int_equal(kept, 0);
}

static void work_that_cannot_be_kept_adds_nothing(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    struct tn_rt_plan *copy = NULL;
    struct tn_rt_op bad = counted;
    uint32_t id = 99;
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    bad.keep = refuse_to_keep;
    assert_int_equal(tn_rt_plan_add(plan, NULL, &bad, false, &a, 1, &id), TN_RT_OUT_OF_MEMORY);
    assert_int_equal(id, 99);
    assert_int_equal(plan->count, 1);
    assert_int_equal(tn_rt_plan_find(plan, a)->after.count, 0);
    uint32_t b = add(plan, &a, 1);
    tn_rt_plan_find(plan, b)->op.keep = refuse_to_keep;
    assert_int_equal(tn_rt_plan_copy(plan, &copy), TN_RT_OUT_OF_MEMORY);
    assert_null(copy);
    assert_int_equal(kept, 2); // nothing of the copy is left
    tn_rt_plan_free(plan);
    assert_int_equal(kept, 0);
}

static void a_node_that_leads_to_no_end_is_loose(void **state) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    uint32_t loose = 99;
    (void)state;
    uint32_t a = add(plan, NULL, 0);
    uint32_t b = add(plan, &a, 1);
    uint32_t c = add(plan, &a, 1);
    assert_int_equal(tn_rt_plan_loose(plan, &c, 1, &loose), TN_RT_OK);
    assert_int_equal(loose, b);
    assert_int_equal(tn_rt_plan_link(plan, b, c), TN_RT_OK);
    assert_int_equal(tn_rt_plan_loose(plan, &c, 1, &loose), TN_RT_OK);
    assert_int_equal(loose, plan->end);
    assert_int_equal(tn_rt_plan_unlink(plan, b, c), TN_RT_OK);
    tn_rt_plan_find(plan, b)->dropped = true;
    assert_int_equal(tn_rt_plan_loose(plan, &c, 1, &loose), TN_RT_OK);
    assert_int_equal(loose, plan->end);
    tn_rt_plan_free(plan);
}

#if CAN_REPLACE_MALLOC

// Makes a plan of which every list is full, so that each further element needs memory.
static struct tn_rt_plan *make_full_plan(void) {
    struct tn_rt_plan *plan = tn_rt_plan_new();
    uint32_t first = add(plan, NULL, 0);
    while (plan->end < plan->capacity)
        (void)add(plan, &first, tn_rt_plan_find(plan, first)->after.count == 0 ? 1 : 0);
    return plan;
}

static tn_rt_error add_to(struct tn_rt_plan *plan) {
    const uint32_t before[] = {0, 1};
    uint32_t id = 0;
    return tn_rt_plan_add(plan, NULL, &counted, false, before, 2, &id);
}

static tn_rt_error link_in(struct tn_rt_plan *plan) { return tn_rt_plan_link(plan, 0, 2); }

static tn_rt_error copy_of(struct tn_rt_plan *plan) {
    struct tn_rt_plan *copy = NULL;
    tn_rt_error error = tn_rt_plan_copy(plan, &copy);
    tn_rt_plan_free(copy);
    return error;
}

static tn_rt_error sort_of(struct tn_rt_plan *plan) {
    uint32_t order[64];
    return tn_rt_plan_sort(plan, order);
}

static tn_rt_error loose_of(struct tn_rt_plan *plan) {
    uint32_t loose;
    return tn_rt_plan_loose(plan, NULL, 0, &loose);
}

static void a_call_without_memory_changes_nothing(void **state) {
    tn_rt_error (*const calls[])(struct tn_rt_plan *) = {add_to, link_in, copy_of, sort_of,
                                                         loose_of};
    const unsigned at_least[] = {3, 2, 20, 1, 2}; // a retry finds some of the memory there
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct tn_rt_plan *plan = make_full_plan();
        tn_rt_error error = TN_RT_OUT_OF_MEMORY;
        int kept_before = kept;
        unsigned n = 0;
        while (error == TN_RT_OUT_OF_MEMORY) {
            assert_int_equal(plan->count, 16);
            assert_int_equal(plan->nodes[0]->after.count, 1);
            assert_int_equal(plan->nodes[2]->before.count, 0);
            assert_int_equal(kept, kept_before);
            fails_at = ++n;
            error = calls[i](plan);
        }
        fails_at = 0;
        assert_int_equal(error, TN_RT_OK);
        assert_true(n > at_least[i]);
        tn_rt_plan_free(plan);
        assert_int_equal(kept, 0);
    }
}

#endif

// ---- at random, beside a matrix of edges

enum { IDS = 200, STEPS = 400, ROUNDS = 40 };

struct model {
    bool alive[IDS];
    bool edge[IDS][IDS]; // from, to
    uint32_t end;
    uint32_t count;
};

static uint32_t choose(const struct model *model) {
    return (uint32_t)rand() % (model->end + 1); // may be dead or unknown
}

static void try_add(struct tn_rt_plan *plan, struct model *model) {
    uint32_t before[4];
    uint32_t count = (uint32_t)rand() % 4;
    uint32_t id = UINT32_MAX;
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        before[i] = choose(model);
        good = good && model->alive[before[i]];
        for (uint32_t k = 0; k < i; k++) good = good && before[k] != before[i];
    }
    assert_int_equal(tn_rt_plan_add(plan, NULL, &counted, false, before, count, &id),
                     good ? TN_RT_OK : TN_RT_INVALID_VALUE);
    if (!good) return;
    assert_int_equal(id, model->end);
    for (uint32_t i = 0; i < count; i++) model->edge[before[i]][id] = true;
    model->alive[id] = true;
    model->end++;
    model->count++;
}

static void try_remove(struct tn_rt_plan *plan, struct model *model) {
    uint32_t id = choose(model);
    struct tn_rt_plan_node *node = tn_rt_plan_remove(plan, id);
    assert_int_equal(node != NULL, model->alive[id]);
    if (node == NULL) return;
    tn_rt_plan_node_free(node);
    for (uint32_t i = 0; i < IDS; i++) model->edge[i][id] = model->edge[id][i] = false;
    model->alive[id] = false;
    model->count--;
}

static void try_link(struct tn_rt_plan *plan, struct model *model) {
    uint32_t from = choose(model);
    uint32_t to = choose(model);
    bool good = model->alive[from] && model->alive[to] && from != to && !model->edge[from][to];
    assert_int_equal(tn_rt_plan_link(plan, from, to), good ? TN_RT_OK : TN_RT_INVALID_VALUE);
    model->edge[from][to] = model->edge[from][to] || good;
}

static void try_unlink(struct tn_rt_plan *plan, struct model *model) {
    uint32_t from = choose(model);
    uint32_t to = choose(model);
    assert_int_equal(tn_rt_plan_unlink(plan, from, to),
                     model->edge[from][to] ? TN_RT_OK : TN_RT_INVALID_VALUE);
    model->edge[from][to] = false;
}

// Changes a few edges at once. The model says whether all of them can be changed, one after another.
static void try_all(struct tn_rt_plan *plan, struct model *model, bool add) {
    struct model after = *model;
    uint32_t from[3];
    uint32_t to[3];
    size_t count = (size_t)rand() % 4;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        from[i] = choose(model);
        to[i] = choose(model);
        good = good && from[i] != to[i] && after.alive[from[i]] && after.alive[to[i]] &&
               after.edge[from[i]][to[i]] != add;
        after.edge[from[i]][to[i]] = add;
    }
    tn_rt_error error = add ? tn_rt_plan_link_all(plan, from, to, count)
                            : tn_rt_plan_unlink_all(plan, from, to, count);
    assert_int_equal(error, good ? TN_RT_OK : TN_RT_INVALID_VALUE);
    if (good) *model = after;
}

static void try_link_all(struct tn_rt_plan *plan, struct model *model) {
    try_all(plan, model, true);
}

static void try_unlink_all(struct tn_rt_plan *plan, struct model *model) {
    try_all(plan, model, false);
}

// A taken op is not kept again; a refused one stays with the caller.
static void try_take(struct tn_rt_plan *plan, struct model *model) {
    struct tn_rt_op own = counted;
    uint32_t before = choose(model);
    uint32_t id = UINT32_MAX;
    assert_int_equal(own.keep(&own), TN_RT_OK);
    int kept_before = kept;
    tn_rt_error error = tn_rt_plan_add(plan, NULL, &own, true, &before, 1, &id);
    assert_int_equal(error, model->alive[before] ? TN_RT_OK : TN_RT_INVALID_VALUE);
    assert_int_equal(kept, kept_before);
    if (error != TN_RT_OK) {
        own.drop(&own);
        return;
    }
    model->edge[before][id] = true;
    model->alive[id] = true;
    model->end++;
    model->count++;
}

static void assert_like_model(const struct tn_rt_plan *plan, const struct model *model) {
    assert_int_equal(plan->count, model->count);
    for (uint32_t id = 0; id < model->end; id++) {
        const struct tn_rt_plan_node *node = tn_rt_plan_find(plan, id);
        assert_int_equal(node != NULL, model->alive[id]);
        for (uint32_t other = 0; node != NULL && other < model->end; other++) {
            assert_int_equal(has(&node->before, other), model->edge[other][id]);
            assert_int_equal(has(&node->after, other), model->edge[id][other]);
        }
    }
}

// Removes nodes without dependencies as long as there are any: what is left is in or behind a cycle.
static bool model_has_cycle(const struct model *model) {
    struct model rest = *model;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t id = 0; id < rest.end; id++) {
            bool root = rest.alive[id];
            for (uint32_t from = 0; from < rest.end && root; from++) root = !rest.edge[from][id];
            if (!root) continue;
            memset(rest.edge[id], 0, sizeof rest.edge[id]);
            rest.alive[id] = false;
            again = true;
        }
    }
    for (uint32_t id = 0; id < rest.end; id++)
        if (rest.alive[id]) return true;
    return false;
}

// Returns true if there was an order.
static bool assert_sorted(const struct tn_rt_plan *plan, const struct model *model) {
    uint32_t order[IDS];
    uint32_t place[IDS];
    tn_rt_error error = tn_rt_plan_sort(plan, order);
    assert_int_equal(error, model_has_cycle(model) ? TN_RT_INVALID_VALUE : TN_RT_OK);
    if (error != TN_RT_OK) return false;
    memset(place, 0xff, sizeof place);
    for (uint32_t at = 0; at < plan->count; at++) {
        assert_true(model->alive[order[at]] && place[order[at]] == UINT32_MAX);
        place[order[at]] = at;
    }
    for (uint32_t from = 0; from < model->end; from++)
        for (uint32_t to = 0; to < model->end; to++)
            assert_true(!model->edge[from][to] || place[from] < place[to]);
    return true;
}

static void random_changes_keep_a_plan_like_its_model(void **state) {
    void (*const changes[])(struct tn_rt_plan *, struct model *) = {
        try_add, try_add, try_remove, try_link, try_unlink, try_take, try_link_all, try_unlink_all};
    unsigned sorted = 0;
    (void)state;
    srand(7);
    for (int round = 0; round < ROUNDS; round++) {
        struct tn_rt_plan *plan = tn_rt_plan_new();
        struct model model = {.end = 0};
        for (int step = 0; step < STEPS && model.end + 1 < IDS; step++) {
            changes[rand() % 8](plan, &model);
            if (step % 16 == 0) sorted += assert_sorted(plan, &model) ? 1 : 0;
        }
        struct tn_rt_plan *copy = NULL;
        assert_int_equal(tn_rt_plan_copy(plan, &copy), TN_RT_OK);
        tn_rt_plan_free(plan);
        assert_like_model(copy, &model);
        tn_rt_plan_free(copy);
        assert_int_equal(kept, 0);
    }
    assert_true(sorted > ROUNDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_is_never_used_again),
        cmocka_unit_test(an_edge_may_lead_to_an_earlier_node),
        cmocka_unit_test(edges_that_cannot_be_are_refused),
        cmocka_unit_test(a_node_that_is_removed_takes_its_edges_with_it),
        cmocka_unit_test(a_cycle_is_found_and_named),
        cmocka_unit_test(a_copy_has_the_same_ids_and_its_own_work),
        cmocka_unit_test(work_that_cannot_be_kept_adds_nothing),
        cmocka_unit_test(a_node_that_leads_to_no_end_is_loose),
#if CAN_REPLACE_MALLOC
        cmocka_unit_test(a_call_without_memory_changes_nothing),
#endif
        cmocka_unit_test(random_changes_keep_a_plan_like_its_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
