// SPDX-License-Identifier: Apache-2.0
#include "check/handle_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void equal_handles_of_two_images_are_two_names(void **state) {
    (void)state;
    struct tn_check_handle_map names = {0};
    uint32_t value = 7;
    assert_false(tn_check_handle_map_find(&names, 1, 5, &value));
    assert_true(tn_check_handle_map_set(&names, 1, 5, 10));
    assert_true(tn_check_handle_map_set(&names, 2, 5, 20));
    assert_true(tn_check_handle_map_find(&names, 1, 5, &value));
    assert_int_equal(value, 10);
    assert_true(tn_check_handle_map_find(&names, 2, 5, &value));
    assert_int_equal(value, 20);
    tn_check_handle_map_fini(&names);
}

static void set_replaces_the_value(void **state) {
    (void)state;
    struct tn_check_handle_map names = {0};
    uint32_t value;
    assert_true(tn_check_handle_map_set(&names, 0, 0, 1));
    assert_true(tn_check_handle_map_set(&names, 0, 0, 2));
    assert_int_equal(names.count, 1);
    assert_true(tn_check_handle_map_remove(&names, 0, 0, &value));
    assert_int_equal(value, 2);
    assert_false(tn_check_handle_map_remove(&names, 0, 0, &value));
    tn_check_handle_map_fini(&names);
}

// The naive model: an array indexed by handle.
static void names_agree_with_a_plain_array(void **state) {
    (void)state;
    enum { HANDLES = 512, STEPS = 200000 };
    static uint32_t model[HANDLES]; // 0: absent
    struct tn_check_handle_map names = {0};
    unsigned seed = 1;
    for (unsigned step = 0; step < STEPS; step++) {
        seed = seed * 1103515245 + 12345;
        unsigned at = seed >> 16 & (HANDLES - 1);
        uint64_t handle = (uint64_t)(at / 4) << 20; // few homes, long runs
        uint32_t image = at % 4;
        uint32_t value = 0;
        if ((seed >> 8 & 3) == 0) {
            assert_int_equal(tn_check_handle_map_remove(&names, image, handle, &value),
                             model[at] != 0);
            assert_int_equal(value, model[at]);
            model[at] = 0;
        } else if ((seed >> 8 & 3) == 1) {
            model[at] = step + 1;
            assert_true(tn_check_handle_map_set(&names, image, handle, step + 1));
        } else {
            assert_int_equal(tn_check_handle_map_find(&names, image, handle, &value),
                             model[at] != 0);
            assert_int_equal(value, model[at]);
        }
    }
    tn_check_handle_map_fini(&names);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_handles_of_two_images_are_two_names),
        cmocka_unit_test(set_replaces_the_value),
        cmocka_unit_test(names_agree_with_a_plain_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
