// SPDX-License-Identifier: Apache-2.0
// Statuses and the last error of each thread.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>

#include "base/error.h"

static int forget(void **state) {
    (void)state;
    tarn_clear_error();
    return 0;
}

static void statuses_have_names_and_texts(void **state) {
    (void)state;
    assert_string_equal(tarn_status_name(TARN_OK), "OK");
    assert_string_equal(tarn_status_text(TARN_OK), "success");
    assert_string_equal(tarn_status_name(TARN_NO_DEVICE_MEMORY), "NO_DEVICE_MEMORY");
    assert_string_equal(tarn_status_text(TARN_NO_DEVICE_MEMORY), "device memory exhausted");
}

static void status_values_are_distinct_and_not_positive(void **state) {
    (void)state;
#define VALUE(name, value, text) value,
    static const int values[] = {TARN_STATUS_LIST(VALUE)};
#undef VALUE
    size_t count = sizeof values / sizeof values[0];
    for (size_t i = 0; i < count; i++) {
        assert_true(values[i] <= 0);
        for (size_t j = 0; j < i; j++) assert_int_not_equal(values[i], values[j]);
    }
}

static void unknown_status_is_said_to_be_unknown(void **state) {
    (void)state;
    assert_string_equal(tarn_status_name((tarn_status)-9999), "UNKNOWN");
    assert_non_null(tarn_status_text((tarn_status)-9999));
}

static void nothing_failed_reads_as_good_and_empty(void **state) {
    (void)state;
    tarn_error error;
    assert_int_equal(tarn_last_error(&error), TARN_OK);
    assert_int_equal(error.status, TARN_OK);
    assert_int_equal(error.native_code, 0);
    assert_string_equal(error.call, "");
    assert_string_equal(error.message, "");
}

static void failure_is_returned_and_remembered_with_its_values(void **state) {
    (void)state;
    assert_int_equal(tn_fail(TARN_MISALIGNED, "size %d is not a multiple of %d", 5, 4),
                     TARN_MISALIGNED);
    tarn_error error;
    assert_int_equal(tarn_last_error(&error), TARN_MISALIGNED);
    assert_int_equal(error.status, TARN_MISALIGNED);
    assert_string_equal(error.message, "size 5 is not a multiple of 4");
    assert_string_equal(error.call, "");
}

static void native_failure_keeps_call_and_code(void **state) {
    (void)state;
    assert_int_equal(tn_fail_native(TARN_SYSTEM, "mmap", 12, "asked %zu bytes", (size_t)7),
                     TARN_SYSTEM);
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_int_equal(error.native_code, 12);
    assert_string_equal(error.call, "mmap");
    assert_string_equal(error.message, "asked 7 bytes");
}

static void later_failure_replaces_the_native_code_of_the_one_before(void **state) {
    (void)state;
    (void)tn_fail_native(TARN_SYSTEM, "mmap", 12, "first");
    (void)tn_fail(TARN_BUSY, "second");
    tarn_error error;
    (void)tarn_last_error(&error);
    assert_int_equal(error.native_code, 0);
    assert_string_equal(error.call, "");
    assert_string_equal(error.message, "second");
}

static void new_message_may_quote_the_one_it_replaces(void **state) {
    (void)state;
    (void)tn_fail(TARN_BUSY, "inner");
    tarn_error error;
    (void)tarn_last_error(&error);
    (void)tn_fail(TARN_BUSY, "outer: %s", error.message);
    (void)tarn_last_error(&error);
    assert_string_equal(error.message, "outer: inner");
}

static void overlong_message_is_cut_not_overrun(void **state) {
    (void)state;
    (void)tn_fail(TARN_BUSY, "%2000d", 1);
    tarn_error error;
    (void)tarn_last_error(&error);
    size_t length = strlen(error.message);
    assert_true(length > 100 && length < 2000);
}

static void clearing_forgets_the_failure(void **state) {
    (void)state;
    (void)tn_fail_native(TARN_SYSTEM, "mmap", 12, "text");
    tarn_clear_error();
    nothing_failed_reads_as_good_and_empty(state);
}

static void *fail_elsewhere(void *seen) {
    *(tarn_status *)seen = tarn_last_error(NULL);
    (void)tn_fail(TARN_CORRUPT, "in the other thread");
    return NULL;
}

static void failures_stay_in_their_thread(void **state) {
    (void)state;
    (void)tn_fail(TARN_BUSY, "here");
    tarn_status seen = TARN_SYSTEM;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &seen), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(seen, TARN_OK);
    tarn_error error;
    assert_int_equal(tarn_last_error(&error), TARN_BUSY);
    assert_string_equal(error.message, "here");
}

static void version_follows_the_header(void **state) {
    (void)state;
    assert_int_equal(tarn_version(),
                     TARN_VERSION_MAJOR * 1000000 + TARN_VERSION_MINOR * 1000 + TARN_VERSION_PATCH);
}

static void a_saved_failure_is_restored_with_all_its_parts(void **state) {
    struct tn_error_saved saved;
    tarn_error error;
    (void)state;
    (void)tn_fail_native(TARN_NATIVE, "cuMemMap", 7, "the first failure");
    tn_error_save(&saved);
    (void)tn_fail(TARN_BUSY, "another failure");
    tn_error_restore(&saved);
    assert_int_equal(tarn_last_error(&error), TARN_NATIVE);
    assert_int_equal(error.native_code, 7);
    assert_string_equal(error.call, "cuMemMap");
    assert_string_equal(error.message, "the first failure");
}

static void restoring_success_clears_a_later_failure(void **state) {
    struct tn_error_saved saved;
    tarn_error error;
    (void)state;
    tn_error_save(&saved);
    (void)tn_fail_native(TARN_SYSTEM, "mmap", 12, "a failure");
    tn_error_restore(&saved);
    assert_int_equal(tarn_last_error(&error), TARN_OK);
    assert_int_equal(error.native_code, 0);
    assert_string_equal(error.call, "");
    assert_string_equal(error.message, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_names_and_texts),
        cmocka_unit_test(status_values_are_distinct_and_not_positive),
        cmocka_unit_test(unknown_status_is_said_to_be_unknown),
        cmocka_unit_test_setup(nothing_failed_reads_as_good_and_empty, forget),
        cmocka_unit_test_setup(failure_is_returned_and_remembered_with_its_values, forget),
        cmocka_unit_test_setup(native_failure_keeps_call_and_code, forget),
        cmocka_unit_test_setup(later_failure_replaces_the_native_code_of_the_one_before, forget),
        cmocka_unit_test_setup(new_message_may_quote_the_one_it_replaces, forget),
        cmocka_unit_test_setup(overlong_message_is_cut_not_overrun, forget),
        cmocka_unit_test_setup(clearing_forgets_the_failure, forget),
        cmocka_unit_test_setup(failures_stay_in_their_thread, forget),
        cmocka_unit_test_setup(a_saved_failure_is_restored_with_all_its_parts, forget),
        cmocka_unit_test_setup(restoring_success_clears_a_later_failure, forget),
        cmocka_unit_test(version_follows_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
