// SPDX-License-Identifier: Apache-2.0
#include "check/order/clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct tn_check_clocks clocks;

static int set_up(void **state) {
    (void)state;
    return tn_check_clocks_init(&clocks) ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    tn_check_clocks_fini(&clocks);
    return 0;
}

static void an_actor_knows_its_own_moments(void **state) {
    (void)state;
    uint32_t one = tn_check_clocks_begin(&clocks);
    struct tn_check_moment moment = tn_check_clocks_tick(&clocks, one);
    assert_true(tn_check_clocks_knows(&clocks, one, moment));
    assert_false(tn_check_clocks_knows(&clocks, TN_CHECK_ACTOR_HOST, moment));
}

static void learning_passes_on_what_others_knew(void **state) {
    (void)state;
    uint32_t one = tn_check_clocks_begin(&clocks);
    uint32_t two = tn_check_clocks_begin(&clocks);
    uint32_t three = tn_check_clocks_begin(&clocks);
    struct tn_check_moment moment = tn_check_clocks_tick(&clocks, one);
    tn_check_clocks_learn(&clocks, two, one);
    struct tn_check_moment later = tn_check_clocks_tick(&clocks, one);
    tn_check_clocks_learn(&clocks, three, two);
    assert_true(tn_check_clocks_knows(&clocks, three, moment));
    assert_false(tn_check_clocks_knows(&clocks, three, later));
}

static void a_point_keeps_what_was_known_when_it_was_taken(void **state) {
    (void)state;
    struct tn_check_point point = {0};
    uint32_t one = tn_check_clocks_begin(&clocks);
    uint32_t two = tn_check_clocks_begin(&clocks);
    struct tn_check_moment before = tn_check_clocks_tick(&clocks, one);
    tn_check_point_set(&clocks, &point, one);
    struct tn_check_moment after = tn_check_clocks_tick(&clocks, one);
    tn_check_clocks_learn_point(&clocks, &point, two);
    assert_true(tn_check_clocks_knows(&clocks, two, before));
    assert_false(tn_check_clocks_knows(&clocks, two, after));
    assert_false(tn_check_point_knows(&point, after));
    tn_check_point_fini(&point);
}

static void a_point_taken_again_forgets(void **state) {
    (void)state;
    struct tn_check_point point = {0};
    uint32_t one = tn_check_clocks_begin(&clocks);
    uint32_t two = tn_check_clocks_begin(&clocks);
    struct tn_check_moment first = tn_check_clocks_tick(&clocks, one);
    struct tn_check_moment second = tn_check_clocks_tick(&clocks, two);
    tn_check_point_set(&clocks, &point, one);
    tn_check_point_set(&clocks, &point, two);
    assert_false(tn_check_point_knows(&point, first));
    assert_true(tn_check_point_knows(&point, second));
    tn_check_point_add(&clocks, &point, one);
    assert_true(tn_check_point_knows(&point, first));
    tn_check_point_fini(&point);
}

static void a_place_used_again_knows_nothing_of_others_and_repeats_no_moment(void **state) {
    (void)state;
    uint32_t one = tn_check_clocks_begin(&clocks);
    uint32_t two = tn_check_clocks_begin(&clocks);
    struct tn_check_moment others = tn_check_clocks_tick(&clocks, two);
    struct tn_check_moment own = tn_check_clocks_tick(&clocks, one);
    tn_check_clocks_learn(&clocks, one, two);
    tn_check_clocks_end(&clocks, one);
    assert_int_equal(tn_check_clocks_begin(&clocks), one);
    assert_false(tn_check_clocks_knows(&clocks, one, others));
    assert_true(tn_check_clocks_tick(&clocks, one).time > own.time);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_actor_knows_its_own_moments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(learning_passes_on_what_others_knew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_point_keeps_what_was_known_when_it_was_taken, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_point_taken_again_forgets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_place_used_again_knows_nothing_of_others_and_repeats_no_moment, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
