// SPDX-License-Identifier: Apache-2.0
// Specs of faults: the texts that are accepted and refused, and the calls that fail.
#include "fail/spec.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct tn_fail_set parsed(const char *text) {
    struct tn_fail_set set;
    assert_int_equal(tn_fail_parse(text, &tn_fail_process, &set), TARN_OK);
    return set;
}

// Writes '!' for each of the first 12 calls that fails, and '.' for the others.
static const char *pattern(const char *text) {
    static char shown[13];
    struct tn_fail_set set = parsed(text);
    assert_int_equal(set.count, 1);
    for (uint64_t n = 1; n <= 12; n++) shown[n - 1] = tn_fail_fires(&set.specs[0], n) ? '!' : '.';
    return shown;
}

static void fields_select_calls(void **state) {
    (void)state;
    assert_string_equal(pattern("map"), "!!!!!!!!!!!!");
    assert_string_equal(pattern("map:3"), "..!.........");
    assert_string_equal(pattern("map:3-5"), "..!!!.......");
    assert_string_equal(pattern("map:3-"), "..!!!!!!!!!!");
    assert_string_equal(pattern("map:every=4"), "...!...!...!");
    assert_string_equal(pattern("map:3-9:every=2"), "...!.!.!....");
    assert_string_equal(pattern("map:every=4:once"), "...!........");
    assert_string_equal(pattern("map:every=4:sticky"), "...!!!!!!!!!");
    assert_string_equal(pattern("map:2-3:sticky"), ".!!!!!!!!!!!");
    assert_string_equal(pattern("map:once"), "!...........");
    assert_string_equal(pattern("map:rate=1"), "!!!!!!!!!!!!");
}

static void a_rate_follows_its_seed(void **state) {
    struct tn_fail_set one = parsed("copy:rate=0.1:seed=1"), two = parsed("copy:rate=0.1:seed=2");
    unsigned fired = 0, differ = 0;
    (void)state;
    for (uint64_t n = 1; n <= 10000; n++) {
        bool first = tn_fail_fires(&one.specs[0], n);
        fired += first;
        differ += first != tn_fail_fires(&two.specs[0], n);
    }
    assert_in_range(fired, 850, 1150);
    assert_in_range(differ, 1000, 2600);
    assert_string_equal(pattern("copy:rate=0.2:seed=9"), pattern("copy:rate=0.2:seed=9"));
}

static void once_and_sticky_begin_at_the_first_hit_of_a_rate(void **state) {
    struct tn_fail_set plain = parsed("copy:rate=0.01:seed=5");
    struct tn_fail_set once = parsed("copy:rate=0.01:seed=5:once");
    struct tn_fail_set sticky = parsed("copy:rate=0.01:seed=5:sticky");
    uint64_t first = 1;
    (void)state;
    while (!tn_fail_fires(&plain.specs[0], first)) first++;
    for (uint64_t n = 1; n <= 2 * first; n++) {
        assert_int_equal(tn_fail_fires(&once.specs[0], n), n == first);
        assert_int_equal(tn_fail_fires(&sticky.specs[0], n), n >= first);
    }
}

static void wrong_pieces_are_named(void **state) {
    static const struct {
        const char *text, *piece;
    } wrong[] = {
        {"mapp", "\"mapp\": this is not a call"},
        {"unmap:1", "\"unmap\": this is not a call"},
        {"map;", "\"\": this is not a call"},
        {":3", "\"\": this is not a call"},
        {"map:x", "\"x\": expected"},
        {"map:", "\"\": expected"},
        {"map::3", "\"\": expected"},
        {"map:0", "\"0\": expected"},
        {"map:5-3", "\"5-3\": expected"},
        {"map:1-2-3", "\"1-2-3\": expected"},
        {"map:1:2", "\"2\": expected"},
        {"map:-3", "\"-3\": expected"},
        {"map:every=0", "\"every=0\": expected"},
        {"map:every", "\"every\": expected"},
        {"map:rate=0", "\"rate=0\": expected"},
        {"map:rate=1.5", "\"rate=1.5\": expected"},
        {"map:size=", "\"size=\": expected"},
        {"map:address=0xg", "\"address=0xg\": expected"},
        {"map:address=0x11111111111111111", "\"address=0x11111111111111111\": expected"},
        {"map:as=OK", "\"as=OK\": expected"},
        {"map:as=hipErrorUnknown", "\"as=hipErrorUnknown\": expected"},
        {"map:as=", "\"as=\": expected"},
        {"map:once:sticky", "\"sticky\": expected"},
        {"map:3;copy:every=two", "\"every=two\": expected"},
    };
    struct tn_fail_set set = {.count = 7};
    tarn_error error;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(tn_fail_parse(wrong[i].text, &tn_fail_process, &set), TARN_BAD_CONFIG);
        (void)tarn_last_error(&error);
        if (strstr(error.message, wrong[i].piece) == NULL)
            fail_msg("%s: %s", wrong[i].text, error.message);
        assert_int_equal(set.count, 7);
    }
}

static void names_have_scopes(void **state) {
    struct tn_fail_set set;
    (void)state;
    assert_int_equal(tn_fail_parse("hipMemMap:2:as=700", &tn_fail_process, &set), TARN_OK);
    assert_string_equal(set.specs[0].as, "700");
    assert_false(tn_fail_has_device_calls(&set));
    assert_int_equal(tn_fail_parse("hipMemMap:2", &tn_fail_device, &set), TARN_BAD_CONFIG);
    assert_int_equal(tn_fail_parse("hip:2", &tn_fail_process, &set), TARN_BAD_CONFIG);
    assert_int_equal(tn_fail_parse("create:2;hipMalloc", &tn_fail_process, &set), TARN_OK);
    assert_string_equal(set.specs[0].name, "phys_create");
    assert_int_equal(set.specs[0].status, TARN_NO_DEVICE_MEMORY);
    assert_true(tn_fail_has_device_calls(&set));
    assert_int_equal(tn_fail_parse("map:as=NO_HANDLES", &tn_fail_device, &set), TARN_OK);
    assert_int_equal(set.specs[0].status, TARN_NO_HANDLES);
    assert_int_equal(tn_fail_parse(NULL, &tn_fail_device, &set), TARN_OK);
    assert_int_equal(set.count, 0);
}

static void seventeen_specs_are_refused(void **state) {
    char text[200] = "map:1";
    struct tn_fail_set set;
    (void)state;
    for (int i = 1; i < 16; i++) strcat(text, ";map:1");
    assert_int_equal(tn_fail_parse(text, &tn_fail_process, &set), TARN_OK);
    strcat(text, ";map:1");
    assert_int_equal(tn_fail_parse(text, &tn_fail_process, &set), TARN_BAD_CONFIG);
}

// Only calls within the ranges count.
static void ranges_select_calls(void **state) {
    struct tn_fail_set set = parsed("map:2:size=1M-2M:address=0x1000-");
    const struct tn_fail_spec *spec = &set.specs[0];
    const uint64_t mib = 1 << 20;
    uint64_t n = 0;
    (void)state;
    assert_null(tn_fail_count(&set, "map", 0x1000, mib, NULL, &n));
    assert_null(tn_fail_count(&set, "map", 0xfff, mib, NULL, &n));
    assert_null(tn_fail_count(&set, "map", 0x1000, mib - 1, NULL, &n));
    assert_null(tn_fail_count(&set, "map", 0x1000, 2 * mib + 1, NULL, &n));
    assert_null(tn_fail_count(&set, "copy", 0x1000, mib, NULL, &n));
    assert_ptr_equal(tn_fail_count(&set, "map", 0x2000, 2 * mib, NULL, &n), spec);
    assert_int_equal(n, 2);
    assert_null(tn_fail_count(&set, "map", 0x2000, 2 * mib, NULL, &n));
}

// Each spec counts for itself; the first one that fires decides the status.
static void specs_count_separately(void **state) {
    struct tn_fail_set set = parsed("map:2;map:2-3:as=BUSY");
    uint64_t n = 0;
    (void)state;
    assert_null(tn_fail_count(&set, "map", 0, 0, NULL, &n));
    assert_ptr_equal(tn_fail_count(&set, "map", 0, 0, NULL, &n), &set.specs[0]);
    assert_ptr_equal(tn_fail_count(&set, "map", 0, 0, NULL, &n), &set.specs[1]);
    assert_null(tn_fail_count(&set, "map", 0, 0, NULL, &n));
}

enum { THREADS = 4, CALLS = 20000 };

static struct tn_fail_set shared;
static _Atomic unsigned fired;

static void *call_often(void *unused) {
    uint64_t n;
    for (int i = 0; i < CALLS; i++) fired += tn_fail_count(&shared, "map", 0, 0, NULL, &n) != NULL;
    return unused;
}

static void counts_are_exact_with_threads(void **state) {
    pthread_t threads[THREADS];
    (void)state;
    shared = parsed("map:100-60000:every=7");
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, NULL), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(fired, (60000 - 100 + 1) / 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_select_calls),
        cmocka_unit_test(a_rate_follows_its_seed),
        cmocka_unit_test(once_and_sticky_begin_at_the_first_hit_of_a_rate),
        cmocka_unit_test(wrong_pieces_are_named),
        cmocka_unit_test(names_have_scopes),
        cmocka_unit_test(seventeen_specs_are_refused),
        cmocka_unit_test(ranges_select_calls),
        cmocka_unit_test(specs_count_separately),
        cmocka_unit_test(counts_are_exact_with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
