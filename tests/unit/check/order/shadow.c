// SPDX-License-Identifier: Apache-2.0
// Against the naive model: for each byte, the last write and the reads since.
#include "check/order/shadow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 96, BASE = 0x1000 };

struct seen {
    uint64_t write[BYTES]; // time; 0: none
    unsigned reads[BYTES];
};

static bool note_touch(void *arg, const struct tn_check_touch *touch, uint64_t lo, uint64_t hi,
                       uint64_t was) {
    struct seen *seen = (struct seen *)arg;
    assert_true(lo < hi);
    assert_int_equal(was, lo);
    for (uint64_t at = lo; at < hi; at++) {
        if (touch->kind == TN_CHECK_TOUCH_READ) {
            seen->reads[at - BASE]++;
        } else {
            assert_int_equal(seen->write[at - BASE], 0);
            seen->write[at - BASE] = touch->moment.time;
        }
    }
    return true;
}

static void look(struct tn_check_shadow *shadow, struct seen *seen) {
    memset(seen, 0, sizeof *seen);
    tn_check_shadow_visit(shadow, 0, BASE, BASE + BYTES, note_touch, seen);
}

static void ranges_agree_with_bytes(void **state) {
    (void)state;
    struct tn_check_shadow shadow = {0};
    struct tn_check_clocks clocks;
    assert_true(tn_check_clocks_init(&clocks));
    uint32_t actor = tn_check_clocks_begin(&clocks);
    struct seen model = {0};
    struct seen seen;
    unsigned seed = 7;
    for (unsigned step = 0; step < 20000; step++) {
        seed = seed * 1103515245 + 12345;
        unsigned lo = (seed >> 16) % BYTES;
        unsigned hi = lo + 1 + (seed >> 24) % (BYTES - lo);
        struct tn_check_touch touch = {.moment = tn_check_clocks_tick(&clocks, actor)};
        switch (seed >> 8 & 3) {
        case 0: tn_check_shadow_forget(&shadow, 0, BASE + lo, BASE + hi); break;
        case 1:
            touch.kind = TN_CHECK_TOUCH_WRITE;
            tn_check_shadow_write(&shadow, 0, BASE + lo, BASE + hi, &touch);
            break;
        default:
            touch.kind = TN_CHECK_TOUCH_READ;
            tn_check_shadow_read(&shadow, &clocks.actors[touch.moment.actor].point, 0, BASE + lo,
                                 BASE + hi, &touch);
            break;
        }
        for (unsigned at = lo; at < hi; at++) {
            bool read = touch.kind == TN_CHECK_TOUCH_READ;
            model.write[at] = read                                 ? model.write[at]
                              : touch.kind == TN_CHECK_TOUCH_WRITE ? touch.moment.time
                                                                   : 0;
            model.reads[at] = read ? 1 : 0; // the reader knows of its own earlier reads
        }
        look(&shadow, &seen);
        assert_memory_equal(&seen, &model, sizeof seen);
    }
    assert_int_equal(shadow.forgotten, 0);
    tn_check_shadow_fini(&shadow);
    tn_check_clocks_fini(&clocks);
}

static void reads_that_know_nothing_of_each_other_are_all_kept(void **state) {
    (void)state;
    struct tn_check_shadow shadow = {0};
    struct tn_check_clocks clocks;
    struct seen seen;
    assert_true(tn_check_clocks_init(&clocks));
    for (unsigned i = 0; i < TN_CHECK_SHADOW_READS + 2; i++) {
        struct tn_check_touch touch = {
            .moment = tn_check_clocks_tick(&clocks, tn_check_clocks_begin(&clocks)),
            .kind = TN_CHECK_TOUCH_READ};
        tn_check_shadow_read(&shadow, &clocks.actors[touch.moment.actor].point, 0, BASE,
                             BASE + BYTES, &touch);
        look(&shadow, &seen);
        assert_int_equal(seen.reads[0], i < TN_CHECK_SHADOW_READS ? i + 1 : TN_CHECK_SHADOW_READS);
    }
    tn_check_shadow_fini(&shadow);
    tn_check_clocks_fini(&clocks);
}

static bool add_time(void *arg, const struct tn_check_touch *touch, uint64_t lo, uint64_t hi,
                     uint64_t was) {
    *(uint64_t *)arg += lo < hi && was == lo ? touch->moment.time : 0;
    return true;
}

static void a_read_takes_the_place_of_the_oldest_one(void **state) {
    (void)state;
    struct tn_check_shadow shadow = {0};
    struct tn_check_clocks clocks;
    const uint64_t times[] = {5, 1, 3, 7};
    uint64_t sum = 0;
    assert_true(tn_check_clocks_init(&clocks));
    for (unsigned i = 0; i < TN_CHECK_SHADOW_READS + 1; i++) {
        struct tn_check_touch touch = {.kind = TN_CHECK_TOUCH_READ};
        uint32_t actor = tn_check_clocks_begin(&clocks);
        do {
            touch.moment = tn_check_clocks_tick(&clocks, actor);
        } while (touch.moment.time < times[i]);
        tn_check_shadow_read(&shadow, &clocks.actors[touch.moment.actor].point, 0, BASE,
                             BASE + BYTES, &touch);
    }
    tn_check_shadow_visit(&shadow, 0, BASE, BASE + BYTES, add_time, &sum);
    assert_int_equal(sum, 5 + 3 + 7);
    tn_check_shadow_fini(&shadow);
    tn_check_clocks_fini(&clocks);
}

static void equal_addresses_of_two_spaces_do_not_meet(void **state) {
    (void)state;
    struct tn_check_shadow shadow = {0};
    struct seen seen;
    struct tn_check_touch touch = {.moment = {.time = 1}, .kind = TN_CHECK_TOUCH_WRITE};
    tn_check_shadow_write(&shadow, 5, BASE, BASE + BYTES, &touch);
    look(&shadow, &seen);
    assert_int_equal(seen.write[0], 0);
    tn_check_shadow_fini(&shadow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_agree_with_bytes),
        cmocka_unit_test(reads_that_know_nothing_of_each_other_are_all_kept),
        cmocka_unit_test(a_read_takes_the_place_of_the_oldest_one),
        cmocka_unit_test(equal_addresses_of_two_spaces_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
