// SPDX-License-Identifier: Apache-2.0
// Claims about memory that is set aside for a tag.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { OWN = 5, OTHER = 6, PAGES = 16 };
#define PAGE (2 * MIB)

static tarn_pool *pool_over(struct fake **fake) {
    tarn_pool *pool = NULL;
    *fake = fake_new(PAGE, PAGES * PAGE);
    assert_non_null(*fake);
    assert_int_equal(fake_pool(*fake, TARN_POOL_BALANCED, &pool), TARN_OK);
    return pool;
}

static tarn_status try_tagged(tarn_pool *pool, uint64_t bytes, uint32_t tag, tarn_addr *addr) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    request.bytes = bytes;
    request.tag = tag;
    return tarn_pool_alloc_with(pool, &request, addr);
}

static void blocks_of_other_tags_do_not_get_it(void **state) {
    (void)state;
    struct fake *fake;
    tarn_pool *pool = pool_over(&fake);
    tarn_addr other = 0;
    tarn_addr own = 0;
    assert_int_equal(tarn_pool_reserve(pool, OWN, 8 * PAGE - 1), TARN_OK);
    assert_int_equal(stats_of(pool).reserved_bytes, 8 * PAGE);
    assert_int_equal(stats_of(pool).held_bytes, 8 * PAGE);
    assert_int_equal(try_tagged(pool, 9 * PAGE, OTHER, &other), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(stats_of(pool).reserved_bytes, 8 * PAGE);
    assert_int_equal(try_tagged(pool, 8 * PAGE, OTHER, &other), TARN_OK);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(try_tagged(pool, 8 * PAGE, OWN, &own), TARN_OK); // the device is full
    assert_int_equal(stats_of(pool).reserved_bytes, 0);
    assert_true(fake_is_backed(fake, own, 8 * PAGE));
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    give(pool, other);
    give(pool, own);
    end(pool);
}

static void a_block_takes_as_much_as_it_needs(void **state) {
    (void)state;
    struct fake *fake;
    tarn_pool *pool = pool_over(&fake);
    tarn_addr own = 0;
    for (int i = 0; i < 4; i++) { // four handles
        assert_int_equal(tarn_pool_reserve(pool, OWN, (uint64_t)(i + 1) * PAGE), TARN_OK);
    }
    uint64_t created = stats_of(pool).created_handles;
    assert_int_equal(try_tagged(pool, PAGE + 1, OWN, &own), TARN_OK);
    assert_int_equal(stats_of(pool).reserved_bytes, 2 * PAGE);
    assert_int_equal(stats_of(pool).created_handles, created);
    give(pool, own);
    end(pool);
}

static void it_stays_when_the_pool_is_trimmed_and_goes_when_it_is_given_back(void **state) {
    (void)state;
    struct fake *fake;
    tarn_pool *pool = pool_over(&fake);
    assert_int_equal(tarn_pool_reserve(pool, OWN, 4 * PAGE), TARN_OK);
    assert_int_equal(tarn_pool_reserve(pool, OTHER, 2 * PAGE), TARN_OK);
    give(pool, get(pool, 3 * PAGE));
    assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(pool).held_bytes, 6 * PAGE);
    assert_int_equal(tarn_pool_reserve(pool, OWN, 0), TARN_OK);
    assert_int_equal(stats_of(pool).held_bytes, 2 * PAGE);
    assert_int_equal(stats_of(pool).reserved_bytes, 2 * PAGE);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    end(pool); // with the rest of it
}

// On a device as large as this, a handle has many pages.
static void as_much_as_was_asked_for_stays_when_some_is_given_back(void **state) {
    (void)state;
    tarn_pool *pool = NULL;
    struct fake *fake = fake_new(PAGE, 4096 * PAGE);
    assert_int_equal(fake_pool(fake, TARN_POOL_BALANCED, &pool), TARN_OK);
    assert_int_equal(tarn_pool_reserve(pool, OWN, 1024 * PAGE), TARN_OK);
    assert_true(stats_of(pool).created_handles < 512);
    uint64_t before = 1024 * PAGE;
    for (uint64_t pages = 1024; pages > 7; pages -= 7) {
        assert_int_equal(tarn_pool_reserve(pool, OWN, pages * PAGE), TARN_OK);
        assert_in_range(stats_of(pool).reserved_bytes, pages * PAGE, before);
        before = stats_of(pool).reserved_bytes;
    }
    assert_true(before < 512 * PAGE);
    assert_int_equal(tarn_pool_reserve(pool, OWN, 0), TARN_OK);
    assert_int_equal(stats_of(pool).held_bytes, 0);
    end(pool);
}

static void the_limit_holds(void **state) {
    (void)state;
    struct fake *fake;
    tarn_pool *pool = pool_over(&fake);
    assert_int_equal(tarn_pool_set_limit(pool, 4 * PAGE), TARN_OK);
    assert_int_equal(tarn_pool_reserve(pool, OWN, 5 * PAGE), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_reserve(pool, OWN, UINT64_MAX), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(stats_of(pool).held_bytes, 0);
    assert_int_equal(tarn_pool_reserve(pool, OWN, 4 * PAGE), TARN_OK);
    end(pool);
}

static void a_failing_call_changes_nothing(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 12; n++) {
        struct fake *fake;
        tarn_pool *pool = pool_over(&fake);
        tarn_addr own = 0;
        assert_int_equal(tarn_pool_reserve(pool, OWN, 3 * PAGE), TARN_OK);
        fake->fail_at = fake->calls + n;
        if (tarn_pool_reserve(pool, OWN, 7 * PAGE) != TARN_OK) {
            assert_int_equal(stats_of(pool).reserved_bytes, 3 * PAGE);
            assert_int_equal(stats_of(pool).held_bytes, 3 * PAGE);
        }
        uint64_t before = stats_of(pool).reserved_bytes;
        if (try_tagged(pool, 2 * PAGE, OWN, &own) != TARN_OK) {
            assert_int_equal(stats_of(pool).reserved_bytes, before);
        } else {
            give(pool, own);
        }
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        end(pool);
    }
}

static void other_pools_and_tags_are_refused(void **state) {
    (void)state;
    struct fake *fake;
    tarn_pool *pages = pool_over(&fake);
    tarn_pool *range = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    assert_int_equal(tarn_pool_reserve(pages, TARN_POOL_TAGS, PAGE), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_reserve(NULL, OWN, PAGE), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_reserve(range, OWN, PAGE), TARN_UNSUPPORTED);
    end(pages);
    end(range);
}

static void a_device_has_all_of_it_back(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_device *device = NULL;
    tarn_pool *pool = NULL;
    uint64_t before = 0;
    uint64_t after = 0;
    assert_int_equal(tarn_device_open("sim:0,memory=1G", &device), TARN_OK);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    assert_int_equal(tarn_device_query_memory(device, &before, NULL), TARN_OK);
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    assert_int_equal(tarn_pool_reserve(pool, OWN, 100 * MIB), TARN_OK);
    assert_int_equal(tarn_device_query_memory(device, &after, NULL), TARN_OK);
    assert_int_equal(before - after, 100 * MIB);
    assert_int_equal(tarn_pool_destroy(pool), TARN_OK);
    assert_int_equal(tarn_device_query_memory(device, &after, NULL), TARN_OK);
    assert_int_equal(after, before);
    tarn_device_close(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_other_tags_do_not_get_it),
        cmocka_unit_test(a_block_takes_as_much_as_it_needs),
        cmocka_unit_test(it_stays_when_the_pool_is_trimmed_and_goes_when_it_is_given_back),
        cmocka_unit_test(as_much_as_was_asked_for_stays_when_some_is_given_back),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(a_failing_call_changes_nothing),
        cmocka_unit_test(other_pools_and_tags_are_refused),
        cmocka_unit_test(a_device_has_all_of_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
