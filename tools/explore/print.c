// SPDX-License-Identifier: Apache-2.0
// The results of `tarn explore`, as text and as JSON. One thread.
#include <inttypes.h>

#include "tools/explore/explore.h"
#include "tools/result.h"
#include "tools/terminal.h"

// ---- text

static void print_again(const struct tn_explore *explore,
                        const struct tn_explore_finding *finding) {
    printf("    again: ");
    tn_run_print_again(&explore->launch, "explore");
    printf("%s%s%s%s --seed %" PRIu64, explore->runs.check ? " --check" : "",
           explore->faults ? " --faults" : "", explore->threads ? " --threads" : "",
           explore->same_output ? " --same-output" : "", finding->seed);
    tn_run_print_program(&explore->launch);
}

static void print_decisions(const struct tn_explore_finding *finding) {
    if (!finding->minimised) return;
    if (finding->decision_count == 0)
        printf("    It does so in the plain order, too: not by order.\n");
    for (size_t i = 0; i < finding->decision_count && i < TN_EXPLORE_DECISIONS; i++)
        printf("    %s%s\n", i == 0 ? "It does so when " : "and ", finding->decisions[i]);
    if (finding->decision_count > TN_EXPLORE_DECISIONS)
        printf("    and %zu more decisions\n", finding->decision_count - TN_EXPLORE_DECISIONS);
}

static void print_finding(const struct tn_explore *explore,
                          const struct tn_explore_finding *finding) {
    tn_style_print(stdout, TN_STYLE_BAD, "seed %" PRIu64 ": %s: %s", finding->seed,
                   tn_run_class_texts[finding->outcome.class].name, finding->outcome.detail);
    if (finding->seeds > 1) printf("; so do %zu more seed(s)", finding->seeds - 1);
    printf("\n");
    tn_run_print_text(&finding->outcome);
    print_decisions(finding);
    if (finding->again == TN_EXPLORE_DIFFERS)
        printf("    A second run of the seed ended in another way: %s.\n", finding->why);
    else if (*finding->why != '\0')
        printf("    A second run of the seed ended in the same way, but %s.\n", finding->why);
    print_again(explore, finding);
    printf("\n");
}

// The pairs that were printed.
struct shown {
    size_t count;
    const struct tn_explore_work *pairs[TN_EXPLORE_SHOWN][2];
};

static bool is_same_work(const struct tn_explore_work *a, const struct tn_explore_work *b) {
    return strcmp(a->text, b->text) == 0 && strcmp(a->place, b->place) == 0;
}

// A loop of the program makes many pairs of the same words.
static void print_pair(void *context, const struct tn_explore_work *first,
                       const struct tn_explore_work *second) {
    struct shown *shown = (struct shown *)context;
    for (size_t i = 0; i < shown->count && i < TN_EXPLORE_SHOWN; i++)
        if (is_same_work(shown->pairs[i][0], first) && is_same_work(shown->pairs[i][1], second))
            return;
    if (shown->count < TN_EXPLORE_SHOWN) {
        shown->pairs[shown->count][0] = first;
        shown->pairs[shown->count][1] = second;
        printf("    the %s (%s) before the %s (%s)\n", first->text, first->place, second->text,
               second->place);
    }
    shown->count++;
}

static void print_orders(const struct tn_explore *explore) {
    size_t pairs, both;
    struct shown shown = {.count = 0};
    tn_explore_orders_count(&explore->orders, &pairs, &both);
    printf("%zu of %zu pair(s) of works on different streams were seen in both orders\n", both,
           pairs);
    if (pairs > both) {
        printf("in one order only:\n");
        tn_explore_orders_visit(&explore->orders, print_pair, &shown);
        if (shown.count > TN_EXPLORE_SHOWN)
            printf("    and %zu more\n", shown.count - TN_EXPLORE_SHOWN);
    }
    if (explore->orders.more > 0)
        printf("not counted: %zu works after the first %d of a run\n", explore->orders.more,
               TN_EXPLORE_WORKS);
}

void tn_explore_print(const struct tn_explore *explore) {
    for (size_t i = 0; i < explore->finding_count; i++)
        print_finding(explore, &explore->findings[i]);
    print_orders(explore);
    tn_style_print(stdout, explore->finding_count > 0 ? TN_STYLE_BAD : TN_STYLE_GOOD,
                   "%zu finding(s) in %" PRIu64 " run(s)\n", explore->finding_count, explore->done);
}

// ---- JSON

static json_t *describe_finding(const struct tn_explore_finding *finding) {
    json_t *result =
        json_pack("{sI, sI, sb}", "seed", (json_int_t)finding->seed, "seeds",
                  (json_int_t)finding->seeds, "repeats", finding->again == TN_EXPLORE_REPEATS);
    (void)json_object_update_new(result, tn_run_result(&finding->outcome));
    if (*finding->why != '\0') tn_member_text(result, "why", finding->why);
    if (!finding->minimised) return result;
    tn_member_number(result, "decision_count", finding->decision_count);
    json_t *list = tn_member_list(result, "decisions");
    for (size_t i = 0; i < finding->decision_count && i < TN_EXPLORE_DECISIONS; i++)
        tn_list_add(list, json_string(finding->decisions[i]));
    return result;
}

static json_t *describe_work(const struct tn_explore_work *work) {
    return json_pack("{ss, ss}", "work", work->text, "place", work->place);
}

static void describe_pair(void *context, const struct tn_explore_work *first,
                          const struct tn_explore_work *second) {
    json_t *pair = tn_list_object((json_t *)context);
    tn_member_set(pair, "first", describe_work(first));
    tn_member_set(pair, "second", describe_work(second));
}

void tn_explore_print_json(const struct tn_explore *explore) {
    size_t pairs, both;
    json_t *findings = json_array(), *orders = json_object();
    for (size_t i = 0; i < explore->finding_count; i++)
        tn_list_add(findings, describe_finding(&explore->findings[i]));
    tn_explore_orders_count(&explore->orders, &pairs, &both);
    tn_member_number(orders, "works", explore->orders.count);
    tn_member_number(orders, "pairs", pairs);
    tn_member_number(orders, "both", both);
    tn_explore_orders_visit(&explore->orders, describe_pair, tn_member_list(orders, "one_order"));
    tn_result_print(json_pack("{so, sI, sI, so, so}", "program", tn_run_program(&explore->launch),
                              "first_seed", (json_int_t)explore->first, "runs",
                              (json_int_t)explore->done, "orders", orders, "findings", findings));
}
