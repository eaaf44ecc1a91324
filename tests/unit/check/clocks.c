// SPDX-License-Identifier: Apache-2.0
#include "check/clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct tn_clocks clocks;

static int set_up(void **state) {
    (void)state;
    return tn_clocks_init(&clocks) ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    tn_clocks_fini(&clocks);
    return 0;
}

static void an_actor_knows_its_own_moments(void **state) {
    (void)state;
    uint32_t one = tn_clocks_begin(&clocks);
    struct tn_moment moment = tn_clocks_tick(&clocks, one);
    assert_true(tn_clocks_knows(&clocks, one, moment));
    assert_false(tn_clocks_knows(&clocks, TN_ACTOR_HOST, moment));
}

static void learning_passes_on_what_others_knew(void **state) {
    (void)state;
    uint32_t one = tn_clocks_begin(&clocks);
    uint32_t two = tn_clocks_begin(&clocks);
    uint32_t three = tn_clocks_begin(&clocks);
    struct tn_moment moment = tn_clocks_tick(&clocks, one);
    tn_clocks_learn(&clocks, two, one);
    struct tn_moment later = tn_clocks_tick(&clocks, one);
    tn_clocks_learn(&clocks, three, two);
    assert_true(tn_clocks_knows(&clocks, three, moment));
    assert_false(tn_clocks_knows(&clocks, three, later));
}

static void a_point_keeps_what_was_known_when_it_was_taken(void **state) {
    (void)state;
    struct tn_point point = {0};
    uint32_t one = tn_clocks_begin(&clocks);
    uint32_t two = tn_clocks_begin(&clocks);
    struct tn_moment before = tn_clocks_tick(&clocks, one);
    tn_point_take(&clocks, &point, one);
    struct tn_moment after = tn_clocks_tick(&clocks, one);
    tn_point_tell(&clocks, &point, two);
    assert_true(tn_clocks_knows(&clocks, two, before));
    assert_false(tn_clocks_knows(&clocks, two, after));
    assert_false(tn_point_knows(&point, after));
    tn_point_fini(&point);
}

static void a_point_taken_again_forgets(void **state) {
    (void)state;
    struct tn_point point = {0};
    uint32_t one = tn_clocks_begin(&clocks);
    uint32_t two = tn_clocks_begin(&clocks);
    struct tn_moment first = tn_clocks_tick(&clocks, one);
    struct tn_moment second = tn_clocks_tick(&clocks, two);
    tn_point_take(&clocks, &point, one);
    tn_point_take(&clocks, &point, two);
    assert_false(tn_point_knows(&point, first));
    assert_true(tn_point_knows(&point, second));
    tn_point_add(&clocks, &point, one);
    assert_true(tn_point_knows(&point, first));
    tn_point_fini(&point);
}

static void a_place_used_again_knows_nothing_of_others_and_repeats_no_moment(void **state) {
    (void)state;
    uint32_t one = tn_clocks_begin(&clocks);
    uint32_t two = tn_clocks_begin(&clocks);
    struct tn_moment others = tn_clocks_tick(&clocks, two);
    struct tn_moment own = tn_clocks_tick(&clocks, one);
    tn_clocks_learn(&clocks, one, two);
    tn_clocks_end(&clocks, one);
    assert_int_equal(tn_clocks_begin(&clocks), one);
    assert_false(tn_clocks_knows(&clocks, one, others));
    assert_true(tn_clocks_tick(&clocks, one).time > own.time);
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
