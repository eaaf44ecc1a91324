// SPDX-License-Identifier: Apache-2.0
// Claims about the order in which a fork takes and releases the parts of the core.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/platform/fork.c"

static char steps[32];

static void note(char step) { steps[strlen(steps)] = step; }

static void prepare_low(void) { note('l'); }
static void prepare_high(void) { note('h'); }
static void parent_low(void) { note('L'); }
static void parent_high(void) { note('H'); }
static void child_low(void) { note('1'); }
static void child_high(void) { note('2'); }

static struct tn_mutex mutex = TN_MUTEX(PHYS, "a lock of the test");
static struct tn_fork_part high = {
    .rank = TN_RANK_BACKEND, .prepare = prepare_high, .parent = parent_high, .child = child_high};
static struct tn_fork_part low = {.rank = TN_RANK_PHYS,
                                  .mutex = &mutex,
                                  .prepare = prepare_low,
                                  .parent = parent_low,
                                  .child = child_low};

// The library's own parts stay out of the test.
static int set_up(void **state) {
    (void)state;
    memset(steps, 0, sizeof steps);
    parts = NULL;
    tn_fork_register(&high);
    tn_fork_register(&low);
    return 0;
}

static void parts_are_taken_by_rank_and_released_in_reverse(void **state) {
    (void)state;
    before_fork();
    assert_false(tn_mutex_trylock(&mutex));
    in_parent();
    assert_string_equal(steps, "lhHL");
    assert_true(tn_mutex_trylock(&mutex));
    tn_mutex_unlock(&mutex);
}

static void the_child_counts_a_generation(void **state) {
    (void)state;
    unsigned generation = tn_load_relaxed(&tn_fork_generation);
    before_fork();
    in_child();
    assert_string_equal(steps, "lh21");
    assert_int_equal(tn_load_relaxed(&tn_fork_generation), generation + 1);
}

// Each backend's library is followed by handlers of ours.
static void handlers_that_are_installed_twice_act_once(void **state) {
    (void)state;
    before_fork();
    before_fork();
    in_parent();
    assert_string_equal(steps, "lh");
    in_parent();
    assert_string_equal(steps, "lhHL");
}

int main(void) {
#define CLAIM(name) cmocka_unit_test_setup(name, set_up)
    const struct CMUnitTest tests[] = {
        CLAIM(parts_are_taken_by_rank_and_released_in_reverse),
        CLAIM(the_child_counts_a_generation),
        CLAIM(handlers_that_are_installed_twice_act_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
