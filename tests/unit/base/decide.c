// SPDX-License-Identifier: Apache-2.0
// Decisions by a seed. The environment is read once for each process, so each test that sets it is a
// process of its own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/decide.h"

enum { DECISIONS = 200 };

static void decide_all(uint64_t seed, unsigned choices[DECISIONS]) {
    struct tn_decider decider;
    tn_decider_init(&decider, seed);
    for (int i = 0; i < DECISIONS; i++)
        choices[i] = tn_decide(&decider, TN_DECIDE_DELAY, 6, "work %d", i);
}

static void one_seed_chooses_the_same_and_another_seed_does_not(void **state) {
    unsigned first[DECISIONS], again[DECISIONS], different = 0;
    (void)state;
    decide_all(7, first);
    decide_all(7, again);
    assert_memory_equal(first, again, sizeof first);
    for (uint64_t seed = 8; seed < 28; seed++) {
        decide_all(seed, again);
        different += memcmp(first, again, sizeof first) != 0;
    }
    assert_int_equal(different, 20);
}

static void some_seed_makes_each_choice_and_most_prefer_the_plain_one(void **state) {
    unsigned counts[6] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        unsigned choices[DECISIONS];
        decide_all(seed, choices);
        for (int i = 0; i < DECISIONS; i++) {
            assert_true(choices[i] < 6);
            counts[choices[i]]++;
        }
    }
    for (int i = 1; i < 6; i++) assert_in_range(counts[i], 1, counts[0] / 2);
}

static void the_choice_of_a_number_does_not_depend_on_other_kinds(void **state) {
    struct tn_decider alone, mixed;
    (void)state;
    tn_decider_init(&alone, 3);
    tn_decider_init(&mixed, 3);
    for (int i = 0; i < DECISIONS; i++) {
        unsigned choice = tn_decide(&alone, TN_DECIDE_DELAY, 6, "work");
        if (i % 3 == 0) (void)tn_decide(&mixed, TN_DECIDE_FIRST, 2, "first");
        assert_int_equal(tn_decide(&mixed, TN_DECIDE_DELAY, 6, "work"), choice);
    }
}

static void without_a_variable_the_process_has_no_seed(void **state) {
    (void)state;
    assert_false(tn_decides());
    assert_int_equal(tn_decide_status(), TARN_OK);
    assert_false(tn_decide_logs());
}

// ---- processes with variables

static bool follows_a_list_and_logs(void) {
    struct tn_decider decider;
    tn_decider_init(&decider, 5);
    bool good = tn_decides() && tn_decide_status() == TARN_OK;
    for (unsigned i = 1; i <= DECISIONS; i++)
        good = good && tn_decide(&decider, TN_DECIDE_DELAY, 6, "work %u", i) == (i == 9 ? 4 : 0);
    return good;
}

static bool refuses_the_variable(void) {
    tarn_error error;
    bool refused = tn_decide_status() == TARN_BAD_CONFIG;
    (void)tarn_last_error(&error);
    return refused && strstr(error.message, getenv("TARN_SEED") != NULL ? "TARN_SEED: expected"
                                                                        : "TARN_DECISIONS") != NULL;
}

static void in_a_process(bool (*test)(void), const char *seed, const char *list, const char *log) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        if (seed != NULL) (void)setenv("TARN_SEED", seed, 1);
        if (list != NULL) (void)setenv("TARN_DECISIONS", list, 1);
        if (log != NULL) (void)setenv("TARN_DECISION_LOG", log, 1);
        _exit(test() ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

static void a_list_replaces_the_seed_and_the_log_has_each_decision(void **state) {
    char line[8192];
    unsigned decisions = 0, stacks = 0, chosen = 0;
    (void)state;
    write_file("decide.list", "delay.1.9 4\nfirst.1.3 1\ndelay.2.1 5\n");
    (void)remove("decide.log");
    in_a_process(follows_a_list_and_logs, "5", "decide.list", "decide.log");
    FILE *file = fopen("decide.log", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        decisions += strncmp(line, "decision ", 9) == 0;
        stacks += strncmp(line, "stack ", 6) == 0;
        chosen += strstr(line, " delay.1.9 6 4 work 9\n") != NULL;
    }
    (void)fclose(file);
    assert_int_equal(decisions, DECISIONS);
    assert_in_range(stacks, 1, DECISIONS);
    assert_int_equal(chosen, 1);
    (void)remove("decide.list");
    (void)remove("decide.log");
}

static void a_wrong_variable_is_refused(void **state) {
    (void)state;
    in_a_process(refuses_the_variable, "seven", NULL, NULL);
    in_a_process(refuses_the_variable, "-1", NULL, NULL);
    in_a_process(refuses_the_variable, "1:fault", NULL, NULL);
    in_a_process(refuses_the_variable, NULL, "/nowhere/list", NULL);
    write_file("decide.bad", "delay.1.9 4\ndelays.1.9 4\n");
    in_a_process(refuses_the_variable, NULL, "decide.bad", NULL);
    (void)remove("decide.bad");
}

int main(void) {
    // Processes read their own environment, as long as this one has not read its own.
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_replaces_the_seed_and_the_log_has_each_decision),
        cmocka_unit_test(a_wrong_variable_is_refused),
        cmocka_unit_test(one_seed_chooses_the_same_and_another_seed_does_not),
        cmocka_unit_test(some_seed_makes_each_choice_and_most_prefer_the_plain_one),
        cmocka_unit_test(the_choice_of_a_number_does_not_depend_on_other_kinds),
        cmocka_unit_test(without_a_variable_the_process_has_no_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
