// SPDX-License-Identifier: Apache-2.0
// Claims about what can be seen of a pool: statistics, tags, queries, the walk.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/pool/pool.h"
#include "support/pool_verbs.h"

static tarn_addr get_tagged(tarn_pool *pool, uint64_t bytes, uint32_t tag) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr addr = 0;
    request.bytes = bytes;
    request.tag = tag;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr), TARN_OK);
    return addr;
}

static tarn_pool_tag_stats tag_of(tarn_pool *pool, uint32_t tag) {
    tarn_pool_tag_stats s = {.struct_size = sizeof s};
    assert_int_equal(tarn_pool_query_tag_stats(pool, tag, &s), TARN_OK);
    return s;
}

static void statistics_count_and_remember_peaks(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get(pool, 256);
    tarn_addr b = get(pool, MIB + 1);
    tarn_pool_stats s = stats_of(pool);
    assert_int_equal(s.live_blocks, 2);
    assert_int_equal(s.live_bytes, 256 + MIB + 1);
    assert_int_equal(s.used_bytes, 256 + MIB + 256);
    give(pool, b);
    give(pool, get(pool, 512));
    s = stats_of(pool);
    assert_int_equal(s.live_blocks, 1);
    assert_int_equal(s.live_bytes, 256);
    assert_int_equal(s.peak_live_bytes, 256 + MIB + 1);
    assert_int_equal(s.peak_used_bytes, 256 + MIB + 256);
    assert_int_equal(s.allocs, 3);
    assert_int_equal(s.frees, 2);
    assert_int_equal(s.held_bytes, 64 * MIB);
    assert_int_equal(s.peak_held_bytes, 64 * MIB);
    uint64_t reach = s.reach_bytes;
    assert_true(reach >= MIB && reach <= 3 * MIB);
    tarn_addr high = get(pool, 10 * MIB);
    assert_true(stats_of(pool).reach_bytes >= 10 * MIB);
    give(pool, high);
    assert_true(stats_of(pool).reach_bytes >= 10 * MIB); // the highest ever
    assert_true(s.largest_free >= 60 * MIB);
    assert_true(s.host_bytes > 0);
    give(pool, a);
    end(pool);
}

static void statistics_fit_older_callers(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_pool_stats s = {.struct_size = offsetof(tarn_pool_stats, live_bytes), .live_bytes = 99};
    tarn_addr a = get(pool, 256);
    assert_int_equal(tarn_pool_query_stats(pool, &s), TARN_OK);
    assert_int_equal(s.live_blocks, 1);
    assert_int_equal(s.live_bytes, 99);
    assert_int_equal(tarn_pool_query_stats(pool, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_query_stats(NULL, &s), TARN_BAD_ARGUMENT);
    give(pool, a);
    end(pool);
}

static void tags_are_counted_apart(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get_tagged(pool, MIB, 5);
    tarn_addr b = get_tagged(pool, 256, 5);
    tarn_addr c = get_tagged(pool, MIB, 63);
    give(pool, a);
    assert_int_equal(tag_of(pool, 5).live_blocks, 1);
    assert_int_equal(tag_of(pool, 5).live_bytes, 256);
    assert_int_equal(tag_of(pool, 5).peak_bytes, MIB + 256);
    assert_int_equal(tag_of(pool, 63).live_bytes, MIB);
    assert_int_equal(tag_of(pool, 0).peak_bytes, 0);
    tarn_pool_tag_stats s = {.struct_size = sizeof s};
    assert_int_equal(tarn_pool_query_tag_stats(pool, 64, &s), TARN_BAD_ARGUMENT);
    give(pool, b);
    give(pool, c);
    end(pool);
}

static void any_byte_of_a_block_leads_to_it(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 300, 16384, 20000, 5 * MIB};
    tarn_pool *pool = fixed(BASE + 77, 32 * MIB, TARN_RULE_GPU_256);
    tarn_block block;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tarn_addr addr = get_tagged(pool, sizes[i], 9);
        for (uint64_t at = 0; at < sizes[i]; at += sizes[i] / 7 + 1) {
            assert_int_equal(tarn_pool_query_block(pool, addr + at, &block), TARN_OK);
            assert_int_equal(block.addr, addr);
            assert_int_equal(block.state, TARN_BLOCK_LIVE);
            assert_int_equal(block.tag, 9);
            assert_int_equal(block.bytes, sizes[i]);
            assert_true(block.usable >= block.bytes && block.occupied >= block.usable);
        }
        give(pool, addr);
        assert_int_equal(tarn_pool_query_block(pool, addr, &block), TARN_BAD_ADDRESS);
    }
    assert_int_equal(tarn_pool_query_block(pool, 5, &block), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_pool_query_block(pool, BASE, &block), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_pool_query_block(pool, BASE, NULL), TARN_BAD_ARGUMENT);
    end(pool);
}

static void the_rest_of_a_slab_is_no_block(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get(pool, 768); // 85 of them in 64 KiB leave 256 bytes over
    tarn_addr slab = a & ~(64 * KIB - 1);
    tarn_block block;
    assert_int_equal(tarn_pool_query_block(pool, slab + 85 * 768, &block), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_pool_free(pool, slab + 85 * 768), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_pool_query_block(pool, slab + 64 * KIB, &block), TARN_BAD_ADDRESS);
    give(pool, a);
    end(pool);
}

static void small_blocks_count_the_bytes_requested(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get_tagged(pool, 100, 3);
    tarn_addr b = get_tagged(pool, 1000, 3);
    assert_int_equal(stats_of(pool).live_bytes, 1100);
    assert_int_equal(stats_of(pool).used_bytes, 256 + 1024);
    assert_int_equal(tag_of(pool, 3).live_bytes, 1100);
    give(pool, a);
    assert_int_equal(stats_of(pool).live_bytes, 1000);
    assert_int_equal(stats_of(pool).used_bytes, 1024);
    give(pool, b);
    assert_int_equal(stats_of(pool).live_bytes, 0);
    assert_int_equal(stats_of(pool).used_bytes, 0);
    assert_int_equal(tag_of(pool, 3).live_bytes, 0);
    assert_int_equal(tag_of(pool, 3).peak_bytes, 1100);
    end(pool);
}

static void usable_bytes_leave_out_the_padding(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_ACL); // 32 bytes of padding
    static const uint64_t sizes[] = {1, 33, 1000, 16384, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tarn_block block;
        tarn_addr addr = get(pool, sizes[i]);
        assert_int_equal(tarn_pool_query_block(pool, addr, &block), TARN_OK);
        uint64_t most = 0;
        assert_int_equal(tarn_rule_occupied(&(tarn_rule){64, 32, 32}, block.usable, &most),
                         TARN_OK);
        assert_true(most <= block.occupied);
        assert_int_equal(tarn_rule_occupied(&(tarn_rule){64, 32, 32}, block.usable + 1, &most),
                         TARN_OK);
        assert_true(most > block.occupied);
        give(pool, addr);
    }
    end(pool);
}

static tarn_pool *with_words(uint32_t flags) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_FIXED;
    desc.base = BASE;
    desc.bytes = 64 * MIB;
    desc.flags = flags;
    desc.user = 77;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    return pool;
}

static uint64_t word_of(tarn_pool *pool, tarn_addr addr) {
    tarn_block block;
    assert_int_equal(tarn_pool_query_block(pool, addr, &block), TARN_OK);
    return block.user;
}

static void each_block_carries_a_word(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 300, 300, 16384, 20000, 5 * MIB};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    tarn_pool *pool = with_words(TARN_POOL_USER_WORDS);
    tarn_addr addr[COUNT];
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            tarn_pool_request request = TARN_INIT(tarn_pool_request);
            request.bytes = sizes[i];
            request.user = 100 + i;
            assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr[i]), TARN_OK);
        }
        for (unsigned i = 0; i < COUNT; i++) {
            assert_int_equal(word_of(pool, addr[i]), 100 + i);
            assert_true(tn_pool_set_user(pool, addr[i], UINT64_MAX - i));
            assert_int_equal(word_of(pool, addr[i] + sizes[i] - 1), UINT64_MAX - i);
            assert_false(tn_pool_set_user(pool, addr[i] + 1, 5));
        }
        for (unsigned i = 0; i < COUNT; i++) {
            give(pool, addr[i]);
            assert_false(tn_pool_set_user(pool, addr[i], 5));
        }
    }
    tarn_addr again = get(pool, 300); // where a block with a word was
    assert_int_equal(word_of(pool, again), 0);
    give(pool, again);
    end(pool);
}

static void words_need_the_flag(void **state) {
    (void)state;
    tarn_pool *pool = with_words(0);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    tarn_addr addr = 0;
    request.bytes = 300;
    request.user = 9;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr), TARN_OK);
    assert_int_equal(word_of(pool, addr), 0);
    assert_false(tn_pool_set_user(pool, addr, 9));
    assert_int_equal(tarn_pool_query(pool, &info), TARN_OK);
    assert_int_equal(info.user, 77);
    assert_int_equal(info.release_threshold, UINT64_MAX);
    give(pool, addr);
    end(pool);
}

struct seen {
    tarn_addr next;
    uint64_t live, blocks, stop_after;
    bool gaps;
};

static bool see(const tarn_block *block, void *arg) {
    struct seen *seen = (struct seen *)arg;
    seen->gaps = seen->gaps || (seen->next != 0 && block->addr != seen->next);
    seen->next = block->addr + block->occupied;
    if (block->state == TARN_BLOCK_LIVE) {
        seen->live += block->bytes;
        seen->blocks++;
    }
    return seen->blocks != seen->stop_after;
}

static void the_walk_sees_every_byte_once_in_order(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 16 * MIB + 100, TARN_RULE_GPU_256);
    for (uint64_t i = 1; i < 200; i++) (void)get(pool, i * i);
    struct seen seen = {BASE, 0, 0, UINT64_MAX, false};
    assert_int_equal(tarn_pool_walk(pool, see, &seen), TARN_OK);
    assert_false(seen.gaps);
    assert_int_equal(seen.next, BASE + 16 * MIB + 100);
    assert_int_equal(seen.blocks, 199);
    assert_int_equal(seen.live, stats_of(pool).live_bytes);
    seen = (struct seen){0, 0, 0, 3, false};
    assert_int_equal(tarn_pool_walk(pool, see, &seen), TARN_OK);
    assert_int_equal(seen.blocks, 3);
    assert_int_equal(tarn_pool_walk(pool, NULL, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    assert_int_equal(stats_of(pool).live_blocks, 0);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_count_and_remember_peaks),
        cmocka_unit_test(statistics_fit_older_callers),
        cmocka_unit_test(tags_are_counted_apart),
        cmocka_unit_test(any_byte_of_a_block_leads_to_it),
        cmocka_unit_test(small_blocks_count_the_bytes_requested),
        cmocka_unit_test(usable_bytes_leave_out_the_padding),
        cmocka_unit_test(each_block_carries_a_word),
        cmocka_unit_test(words_need_the_flag),
        cmocka_unit_test(the_rest_of_a_slab_is_no_block),
        cmocka_unit_test(the_walk_sees_every_byte_once_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
