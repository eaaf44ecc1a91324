// SPDX-License-Identifier: Apache-2.0
// Claims about the size classes of small blocks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/pool/class.h"

// For every unit and every size.
static void a_class_is_the_smallest_that_holds_the_size(void **state) {
    (void)state;
    for (unsigned shift = 4; shift <= 12; shift++) {
        tn_pool_classes classes;
        tn_pool_classes_init(&classes, shift);
        assert_true(classes.count <= TN_CLASSES);
        for (uint64_t bytes = 1; bytes <= TN_SMALL_MAX; bytes++) {
            unsigned c = tn_pool_class_of(&classes, bytes);
            assert_true(c < classes.count && classes.stride[c] >= bytes);
            assert_true(c == 0 || classes.stride[c - 1] < bytes);
        }
    }
}

static void a_block_number_is_found_without_dividing(void **state) {
    (void)state;
    tn_pool_classes classes;
    tn_pool_classes_init(&classes, 4);
    for (unsigned c = 0; c < classes.count; c++) {
        for (uint64_t offset = 0; offset < classes.slab_bytes[c]; offset++) {
            uint64_t number = offset * classes.reciprocal[c] >> 32;
            assert_int_equal(number, offset / classes.stride[c]);
        }
    }
}

static void a_slab_has_no_room_for_another_block(void **state) {
    (void)state;
    for (unsigned shift = 4; shift <= 12; shift++) {
        tn_pool_classes classes;
        tn_pool_classes_init(&classes, shift);
        for (unsigned c = 0; c < classes.count; c++) {
            assert_true(classes.slab_blocks[c] * classes.stride[c] <= classes.slab_bytes[c]);
            assert_true((classes.slab_blocks[c] + 1) * classes.stride[c] > classes.slab_bytes[c]);
            assert_true(classes.slab_blocks[c] >= 8);
            assert_int_equal(classes.stride[c] % (1u << shift), 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_is_the_smallest_that_holds_the_size),
        cmocka_unit_test(a_block_number_is_found_without_dividing),
        cmocka_unit_test(a_slab_has_no_room_for_another_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
