// SPDX-License-Identifier: Apache-2.0
// The stacks of an interpreter: numbers, texts, and the stack of each thread.
#include "record/frames.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_text_is_found_by_its_number(void **state) {
    (void)state;
    uint32_t first = tarn_record_frames_define("f\na.py\n1\n");
    uint32_t second = tarn_record_frames_define("g\nb.py\n2\n");
    assert_int_not_equal(first, 0);
    assert_int_not_equal(second, first);
    assert_string_equal(tn_record_frames_text(first), "f\na.py\n1\n");
    assert_string_equal(tn_record_frames_text(second), "g\nb.py\n2\n");
    assert_string_equal(tn_record_frames_text(0), "");
    assert_string_equal(tn_record_frames_text(second + 1), "");
    assert_string_equal(tn_record_frames_text(UINT32_MAX), "");
}

static void *look(void *current) {
    *(uint32_t *)current = tn_record_frames_current();
    return NULL;
}

static void a_stack_is_of_one_thread_until_it_is_left(void **state) {
    (void)state;
    uint32_t other = 9;
    pthread_t thread;
    assert_int_equal(tarn_record_frames_enter(3), 0);
    assert_int_equal(tarn_record_frames_enter(4), 3);
    assert_int_equal(tn_record_frames_current(), 4);
    assert_int_equal(pthread_create(&thread, NULL, look, &other), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(other, 0);
    assert_int_equal(tarn_record_frames_enter(3), 4);
    assert_int_equal(tarn_record_frames_enter(0), 3);
    assert_int_equal(tn_record_frames_current(), 0);
}

static void a_full_table_refuses(void **state) {
    (void)state;
    uint32_t last = 0, number;
    while ((number = tarn_record_frames_define("h\nc.py\n3\n")) != 0) last = number;
    assert_int_equal(last, TN_RECORD_FRAMES - 1);
    assert_int_equal(tarn_record_frames_define("i\nd.py\n4\n"), 0);
    assert_string_equal(tn_record_frames_text(last), "h\nc.py\n3\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_found_by_its_number),
        cmocka_unit_test(a_stack_is_of_one_thread_until_it_is_left),
        cmocka_unit_test(a_full_table_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
