// SPDX-License-Identifier: Apache-2.0
// Claims about the parcel cache.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "channel/arena.h"

static void last_one_of_a_size_is_popped_first(void **state) {
    struct tn_parcel_cache cache;
    (void)state;
    tn_parcel_cache_init(&cache);
    assert_int_equal(tn_parcel_cache_push(&cache, 4096, 1), TN_NO_PAGE);
    assert_int_equal(tn_parcel_cache_push(&cache, 8192, 2), TN_NO_PAGE);
    assert_int_equal(tn_parcel_cache_push(&cache, 4096, 3), TN_NO_PAGE);
    assert_int_equal(tn_parcel_cache_pop(&cache, 12288), TN_NO_PAGE);
    assert_int_equal(tn_parcel_cache_pop(&cache, 4096), 3);
    assert_int_equal(tn_parcel_cache_pop(&cache, 4096), 1);
    assert_int_equal(tn_parcel_cache_pop(&cache, 4096), TN_NO_PAGE);
    assert_int_equal(tn_parcel_cache_pop(&cache, 8192), 2);
    assert_int_equal(cache.count, 0);
}

static void full_cache_returns_its_oldest(void **state) {
    struct tn_parcel_cache cache;
    (void)state;
    tn_parcel_cache_init(&cache);
    for (uint32_t i = 0; i < TN_PARCEL_CACHE_ENTRIES; i++)
        assert_int_equal(tn_parcel_cache_push(&cache, 4096, i), TN_NO_PAGE);
    assert_int_equal(tn_parcel_cache_push(&cache, 4096, 100), 0);
    assert_int_equal(tn_parcel_cache_push(&cache, 4096, 101), 1);
    assert_int_equal(tn_parcel_cache_pop(&cache, 4096), 101);
}

static void clearing_returns_all(void **state) {
    struct tn_parcel_cache cache;
    uint32_t pages[TN_PARCEL_CACHE_ENTRIES];
    (void)state;
    tn_parcel_cache_init(&cache);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(tn_parcel_cache_push(&cache, 4096 * (i + 1), i), TN_NO_PAGE);
    assert_int_equal(tn_parcel_cache_clear(&cache, pages), 5);
    for (uint32_t i = 0; i < 5; i++) assert_int_equal(pages[i], i);
    assert_int_equal(tn_parcel_cache_clear(&cache, pages), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_one_of_a_size_is_popped_first),
        cmocka_unit_test(full_cache_returns_its_oldest),
        cmocka_unit_test(clearing_returns_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
