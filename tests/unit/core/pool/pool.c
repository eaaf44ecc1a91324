// SPDX-License-Identifier: Apache-2.0
// Claims about pools over a fixed range of numbers: placement and refusals. What can be seen of
// them is in pool_look.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/pool_verbs.h"

static const uint64_t lengths[5] = {1, 31, 32, 33, 1000};

static void places_as_in_the_table(tarn_rule_name rule, uint64_t bytes, const uint64_t offsets[5]) {
    tarn_pool *pool = fixed(BASE, bytes, rule);
    for (int i = 0; i < 5; i++) assert_int_equal(get(pool, lengths[i]), BASE + offsets[i]);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    for (int i = 0; i < 5; i++) assert_int_equal(get(pool, lengths[i]), BASE + offsets[i]);
    for (int i = 0; i < 5; i++) give(pool, BASE + offsets[i]);
    end(pool);
}

static void a_byte_less_fails_on_the_fifth(tarn_rule_name rule, uint64_t bytes) {
    tarn_pool *pool = fixed(BASE, bytes, rule);
    tarn_addr addr = 7;
    for (int i = 0; i < 4; i++) (void)get(pool, lengths[i]);
    assert_int_equal(tarn_pool_alloc(pool, lengths[4], 0, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(addr, 7);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void ascend_examples_hold_to_the_byte(void **state) {
    (void)state;
    static const uint64_t at_64[5] = {0, 64, 128, 192, 320};
    static const uint64_t at_128[5] = {0, 128, 256, 384, 512};
    static const uint64_t at_950[5] = {0, 64, 128, 192, 256};
    places_as_in_the_table(TARN_RULE_ACL, 1376, at_64);
    places_as_in_the_table(TARN_RULE_ACL, 1408, at_64);
    places_as_in_the_table(TARN_RULE_ACL_MEDIA, 1568, at_128);
    places_as_in_the_table(TARN_RULE_ACL_950, 1280, at_950);
    a_byte_less_fails_on_the_fifth(TARN_RULE_ACL, 1375);
    a_byte_less_fails_on_the_fifth(TARN_RULE_ACL_MEDIA, 1567);
    a_byte_less_fails_on_the_fifth(TARN_RULE_ACL_950, 1279);
}

static void an_unaligned_base_loses_only_its_front(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE + 33, 31 + 1376, TARN_RULE_ACL);
    for (int i = 0; i < 5; i++) assert_int_equal(get(pool, lengths[i]) % 64, 0);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void a_range_smaller_than_a_stride_serves_one_block(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 32, TARN_RULE_ACL_950);
    refused(pool, 33);
    assert_int_equal(get(pool, 32), BASE);
    refused(pool, 1);
    give(pool, BASE);
    assert_int_equal(get(pool, 1), BASE);
    give(pool, BASE);
    end(pool);
}

static void the_last_bytes_are_used_again_and_again(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 10 * 64 + 32, TARN_RULE_ACL);
    for (int round = 0; round < 6; round++) {
        tarn_addr a = get(pool, 5 * 64 - 32); // five whole strides
        tarn_addr b = get(pool, 6 * 64 - 64); // five strides and the half one
        assert_int_equal(a, BASE);
        assert_int_equal(b, BASE + 5 * 64);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        give(pool, round % 2 ? a : b);
        give(pool, round % 2 ? b : a);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        refused(pool, 11 * 64 - 63); // whole strides only: the half one does not count
    }
    end(pool);
}

static void ranges_may_lie_anywhere(void **state) {
    (void)state;
    static const tarn_addr bases[] = {0, 1, 4096, UINT64_MAX - 100 * MIB, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        tarn_pool *pool = fixed(bases[i], 100 * MIB, TARN_RULE_GPU_256);
        tarn_addr small = get(pool, 100);
        tarn_addr large = get(pool, MIB);
        assert_true(small - bases[i] < 100 * MIB && large - bases[i] < 99 * MIB);
        give(pool, large);
        give(pool, small);
        end(pool);
    }
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool;
    desc.kind = TARN_POOL_FIXED;
    desc.base = UINT64_MAX - 99;
    desc.bytes = 101;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT);
}

// No block can start in a range that ends before or at the first multiple of 256.
static void a_range_without_a_start_has_no_memory(void **state) {
    (void)state;
    for (uint64_t before = 1; before < 256; before += 127) {
        for (uint64_t bytes = 1; bytes <= before; bytes++) {
            tarn_pool *pool = fixed(BASE - before, bytes, TARN_RULE_GPU_256);
            refused(pool, 1);
            end(pool);
        }
        tarn_pool *pool = fixed(BASE - before, before + 512, TARN_RULE_GPU_256);
        assert_true(get(pool, 1) == BASE);
        give(pool, BASE);
        end(pool);
    }
}

static void alignment_is_of_the_address(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 1000, 16000, 100000, 3 * MIB};
    tarn_pool *pool = fixed(BASE + 12345, 64 * MIB, TARN_RULE_PLAIN);
    for (uint64_t alignment = 1; alignment <= 2 * MIB; alignment *= 2) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            tarn_pool_request request = TARN_INIT(tarn_pool_request);
            tarn_addr addr;
            request.bytes = sizes[i];
            request.alignment = alignment;
            assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr), TARN_OK);
            assert_int_equal(addr % alignment, 0);
            give(pool, addr);
        }
    }
    end(pool);
}

static void what_is_freed_can_be_had_whole_again(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr blocks[64];
    for (int i = 0; i < 64; i++) blocks[i] = get(pool, MIB);
    for (int i = 0; i < 64; i++) give(pool, blocks[i * 37 % 64]);
    assert_int_equal(get(pool, 64 * MIB), BASE);
    give(pool, BASE);
    end(pool);
}

static void small_blocks_give_their_slabs_back_when_needed(void **state) {
    (void)state;
    enum { COUNT = 4000 };
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    tarn_addr *blocks = (tarn_addr *)malloc(COUNT * sizeof *blocks);
    assert_non_null(blocks);
    for (int i = 0; i < COUNT; i++) blocks[i] = get(pool, 1 + (uint64_t)i % 3000);
    for (int i = 0; i < COUNT; i++) give(pool, blocks[i]);
    free(blocks);
    assert_int_equal(get(pool, 16 * MIB), BASE);
    give(pool, BASE);
    end(pool);
}

static void small_blocks_fill_what_slabs_cannot(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    tarn_addr large = get(pool, 8 * MIB - 40 * KIB); // no slab fits any more
    tarn_addr a = get(pool, 100);
    tarn_addr b = get(pool, 100);
    assert_true(a != b && a >= large + 8 * MIB - 40 * KIB);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    give(pool, a);
    assert_int_equal(tarn_pool_free(pool, a), TARN_BAD_ADDRESS);
    give(pool, b);
    give(pool, large);
    end(pool);
}

// ---- refusals

static void wrong_frees_change_nothing(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 5000, 16384, 16385, MIB};
    static const int64_t wrong[] = {1, 64, -64, 16384, -1, INT64_C(1) << 30, -(INT64_C(1) << 30)};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tarn_pool *pool = fixed(BASE, 32 * MIB, TARN_RULE_ACL);
        tarn_addr other = get(pool, sizes[i]);
        tarn_addr addr = get(pool, sizes[i]);
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            tarn_addr bad = addr + (uint64_t)wrong[k];
            if (bad != other) assert_int_equal(tarn_pool_free(pool, bad), TARN_BAD_ADDRESS);
        }
        assert_int_equal(stats_of(pool).live_blocks, 2);
        give(pool, addr);
        assert_int_equal(tarn_pool_free(pool, addr), TARN_BAD_ADDRESS);
        assert_int_equal(stats_of(pool).live_blocks, 1);
        give(pool, other);
        give(pool, 0);
        end(pool);
    }
}

static void a_block_in_a_magazine_is_not_freed_twice(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 32 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get(pool, 256);
    give(pool, a);
    assert_int_equal(tarn_pool_free(pool, a), TARN_BAD_ADDRESS);
    tarn_addr b = get(pool, 256);
    tarn_addr c = get(pool, 256);
    assert_int_not_equal(b, c);
    give(pool, b);
    give(pool, c);
    end(pool);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, MIB, TARN_RULE_PLAIN);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr addr;
    assert_int_equal(tarn_pool_alloc(NULL, 1, 0, &addr), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_alloc(pool, 0, 0, &addr), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_alloc(pool, 1, 0, NULL), TARN_BAD_ARGUMENT);
    refused(pool, UINT64_MAX);
    refused(pool, UINT64_MAX / 2);
    request.bytes = 1;
    request.alignment = 48;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr), TARN_BAD_ARGUMENT);
    request.alignment = 4 * MIB;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr), TARN_BAD_ARGUMENT);
    request.alignment = 0;
    request.tag = TARN_POOL_TAGS;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_free(NULL, 1), TARN_BAD_ARGUMENT);
    end(pool);
}

static void bad_descriptions_are_refused(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool;
    assert_int_equal(tarn_pool_create(NULL, &pool), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT); // no kind
    desc.kind = TARN_POOL_EXPANDABLE;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT); // no device
    desc.kind = TARN_POOL_FIXED;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT); // no bytes
    desc.bytes = 4096;
    desc.rule.start = 3;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT);
    desc.rule.start = 0;
    desc.struct_size = 0;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_STRUCT);
}

static void a_pool_with_live_blocks_is_not_destroyed(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 32 * MIB, TARN_RULE_PLAIN);
    tarn_addr a = get(pool, 5);
    tarn_addr b = get(pool, MIB);
    assert_int_equal(tarn_pool_destroy(pool), TARN_BUSY);
    give(pool, a);
    assert_int_equal(tarn_pool_destroy(pool), TARN_BUSY);
    give(pool, b);
    end(pool);
    assert_int_equal(tarn_pool_destroy(NULL), TARN_OK);
}

static void a_refusal_names_what_was_wanted_and_what_there_is(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, MIB, TARN_RULE_PLAIN);
    tarn_error error;
    refused(pool, 2 * MIB);
    (void)tarn_last_error(&error);
    assert_non_null(strstr(error.message, "2097152"));
    assert_non_null(strstr(error.message, "1048576"));
    assert_int_equal(stats_of(pool).refusals, 1);
    end(pool);
}

static void a_reset_pool_is_as_good_as_new(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 32 * MIB, TARN_RULE_ACL);
    tarn_addr first = get(pool, 10);
    for (uint64_t i = 0; i < 1000; i++) (void)get(pool, 1 + i * 17 % 40000);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_free(pool, first), TARN_BAD_ADDRESS);
    tarn_pool_stats s = stats_of(pool);
    assert_int_equal(s.live_bytes, 0);
    assert_int_equal(s.used_bytes, 0);
    assert_int_equal(s.largest_free, 32 * MIB);
    for (uint64_t i = 0; i < 1000; i++) (void)get(pool, 1 + i * 17 % 20000);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascend_examples_hold_to_the_byte),
        cmocka_unit_test(an_unaligned_base_loses_only_its_front),
        cmocka_unit_test(a_range_smaller_than_a_stride_serves_one_block),
        cmocka_unit_test(the_last_bytes_are_used_again_and_again),
        cmocka_unit_test(ranges_may_lie_anywhere),
        cmocka_unit_test(a_range_without_a_start_has_no_memory),
        cmocka_unit_test(alignment_is_of_the_address),
        cmocka_unit_test(what_is_freed_can_be_had_whole_again),
        cmocka_unit_test(small_blocks_give_their_slabs_back_when_needed),
        cmocka_unit_test(small_blocks_fill_what_slabs_cannot),
        cmocka_unit_test(wrong_frees_change_nothing),
        cmocka_unit_test(a_block_in_a_magazine_is_not_freed_twice),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(bad_descriptions_are_refused),
        cmocka_unit_test(a_pool_with_live_blocks_is_not_destroyed),
        cmocka_unit_test(a_refusal_names_what_was_wanted_and_what_there_is),
        cmocka_unit_test(a_reset_pool_is_as_good_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
