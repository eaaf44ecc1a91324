// SPDX-License-Identifier: Apache-2.0
// Claims about blocks that grow in place.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { A = 11, B = 22 };

static tarn_pool *tight(void) { return fixed(BASE, 8 * MIB, TARN_RULE_GPU_256); }

static void extended(tarn_pool *pool, tarn_addr addr, uint64_t bytes) {
    tarn_block block;
    assert_int_equal(tarn_pool_extend(pool, addr, bytes), TARN_OK);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_query_block(pool, addr + bytes - 1, &block), TARN_OK);
    assert_int_equal(block.addr, addr);
    assert_int_equal(block.bytes, bytes);
    assert_true(block.usable >= bytes);
}

// Field by field, because padding differs.
static void same_block(const tarn_block *a, const tarn_block *b) {
    assert_int_equal(a->addr, b->addr);
    assert_int_equal(a->occupied, b->occupied);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->stream, b->stream);
    assert_int_equal(a->tag, b->tag);
    assert_int_equal(a->usable, b->usable);
    assert_int_equal(a->user, b->user);
}

// Nothing changes.
static void not_extended(tarn_pool *pool, tarn_addr addr, uint64_t bytes, tarn_status expected) {
    tarn_block before = {0};
    tarn_block after = {0};
    tarn_status found = tarn_pool_query_block(pool, addr, &before);
    tarn_pool_stats stats = stats_of(pool);
    assert_int_equal(tarn_pool_extend(pool, addr, bytes), expected);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_query_block(pool, addr, &after), found);
    same_block(&before, &after);
    assert_int_equal(stats_of(pool).live_bytes, stats.live_bytes);
    assert_int_equal(stats_of(pool).used_bytes, stats.used_bytes);
}

// ---- large blocks

static void a_block_takes_the_free_memory_behind_it(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get(pool, MIB);
    tarn_addr b = get(pool, MIB);
    tarn_addr c = get(pool, MIB);
    assert_true(a < b && b < c);
    not_extended(pool, a, MIB + 1, TARN_NO_ADDRESS_SPACE);
    extended(pool, a, MIB);
    give(pool, b);
    extended(pool, a, 3 * MIB / 2 + 1);
    assert_int_equal(stats_of(pool).live_bytes, 5 * MIB / 2 + 1);
    assert_int_equal(stats_of(pool).used_bytes, 5 * MIB / 2 + 256);
    assert_int_equal(stats_of(pool).peak_live_bytes, 3 * MIB);
    assert_int_equal(stats_of(pool).allocs, 3);
    not_extended(pool, a, 2 * MIB + 1, TARN_NO_ADDRESS_SPACE);
    assert_int_equal(get(pool, 5 * MIB), c + MIB); // what is left in front of c stays free
    extended(pool, a, 2 * MIB);
    assert_int_equal(stats_of(pool).live_bytes, 8 * MIB);
    assert_int_equal(stats_of(pool).peak_live_bytes, 8 * MIB);
    not_extended(pool, c + MIB, 5 * MIB + 1, TARN_NO_ADDRESS_SPACE); // the range ends there
    give(pool, a);
    assert_int_equal(get(pool, 2 * MIB), a);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void an_extension_is_never_shorter_than_the_block(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr large = get(pool, MIB);
    tarn_addr small = get(pool, 200);
    not_extended(pool, large, MIB - 1, TARN_BAD_ARGUMENT);
    not_extended(pool, small, 199, TARN_BAD_ARGUMENT);
    not_extended(pool, large, 0, TARN_BAD_ARGUMENT);
    not_extended(pool, large, UINT64_MAX, TARN_NO_DEVICE_MEMORY);
    not_extended(pool, large + 256, 2 * MIB, TARN_BAD_ADDRESS);
    not_extended(pool, small + 1, 256, TARN_BAD_ADDRESS);
    assert_int_equal(tarn_pool_extend(NULL, large, 2 * MIB), TARN_BAD_ARGUMENT);
    give(pool, large);
    give(pool, small);
    not_extended(pool, large, 2 * MIB, TARN_BAD_ADDRESS);
    not_extended(pool, small, 256, TARN_BAD_ADDRESS);
    end(pool);
}

static void memory_of_another_stream_is_not_taken_before_it_passes(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, MIB, A);
    tarn_addr b = get_on(pool, MIB, B);
    tarn_addr c = get_on(pool, MIB, A);
    give(pool, b);
    not_extended(pool, a, 2 * MIB, TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    extended(pool, a, 2 * MIB);
    give(pool, c); // own memory is taken at once, and what nobody has had behind it
    extended(pool, a, 4 * MIB);
    give(pool, a);
    end(pool);
}

static void a_sole_stream_does_not_lend_its_memory(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get(pool, MIB);
    tarn_addr b = get_on(pool, MIB, B);
    tarn_addr c = get_on(pool, MIB, B);
    give(pool, b);
    not_extended(pool, a, 2 * MIB, TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    extended(pool, a, 2 * MIB);
    give(pool, a);
    give(pool, c);
    end(pool);
}

static void the_rule_applies_to_the_new_size(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_ACL);
    tarn_rule rule;
    tarn_block block;
    assert_int_equal(tarn_rule_get(TARN_RULE_ACL, &rule), TARN_OK);
    tarn_addr a = get(pool, MIB);
    extended(pool, a, 2 * MIB);
    assert_int_equal(tarn_pool_query_block(pool, a, &block), TARN_OK);
    assert_true(block.occupied >= 2 * MIB + rule.padding);
    tarn_addr b = get(pool, MIB);
    assert_true(b >= a + 2 * MIB + rule.padding);
    give(pool, a);
    give(pool, b);
    end(pool);
}

static void tags_words_and_streams_of_the_block_stay(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_pool_tag_stats tag = {.struct_size = sizeof tag};
    tarn_block block;
    tarn_pool *pool;
    tarn_addr a;
    desc.kind = TARN_POOL_FIXED;
    desc.base = BASE;
    desc.bytes = 16 * MIB;
    desc.flags = TARN_POOL_USER_WORDS;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    request.bytes = MIB;
    request.tag = 7;
    request.stream = A;
    request.user = 99;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &a), TARN_OK);
    assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
    extended(pool, a, 3 * MIB);
    assert_int_equal(tarn_pool_query_block(pool, a, &block), TARN_OK);
    assert_int_equal(block.user, 99);
    assert_int_equal(block.stream, A);
    assert_int_equal(block.tag, 7);
    assert_int_equal(tarn_pool_query_tag_stats(pool, 7, &tag), TARN_OK);
    assert_int_equal(tag.live_bytes, 3 * MIB);
    assert_int_equal(tag.peak_bytes, 3 * MIB);
    give(pool, a);
    assert_int_equal(stats_of(pool).pending_bytes, 3 * MIB); // all of it waits for B
    assert_int_equal(tarn_pool_query_tag_stats(pool, 7, &tag), TARN_OK);
    assert_int_equal(tag.live_bytes, 0);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    end(pool);
}

static void a_refused_extension_is_explained(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    tarn_addr a = get(pool, MIB);
    tarn_addr b = get(pool, MIB);
    not_extended(pool, a, 3 * MIB, TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_OK);
    assert_int_equal(report.cause, TARN_POOL_CAUSE_SPACE);
    assert_int_equal(report.requested, 3 * MIB);
    assert_int_equal(report.piece_bytes, 2 * MIB);
    assert_int_equal(report.free_bytes, 6 * MIB);
    give(pool, a);
    give(pool, b);
    end(pool);
}

// ---- pages

#define PAGE (2 * MIB)

struct world {
    struct fake *fake;
    tarn_pool *pool;
};

// Each page is a handle of its own.
static struct world expandable(uint64_t capacity) {
    struct world w = {fake_new(PAGE, capacity), NULL};
    assert_non_null(w.fake);
    assert_int_equal(fake_pool(w.fake, TARN_POOL_MEMORY, &w.pool), TARN_OK);
    return w;
}

static void pages_are_mapped_behind_a_block(void **state) {
    (void)state;
    struct world w = expandable(64 * PAGE);
    tarn_addr a = get(w.pool, 3 * PAGE / 2);
    for (uint64_t i = 1; i <= 20; i++) {
        extended(w.pool, a, 3 * PAGE / 2 + i * PAGE / 3);
        assert_true(fake_is_backed(w.fake, a, 3 * PAGE / 2 + i * PAGE / 3));
    }
    extended(w.pool, a, 64 * PAGE);
    not_extended(w.pool, a, 64 * PAGE + 1, TARN_NO_DEVICE_MEMORY);
    assert_int_equal(stats_of(w.pool).held_bytes, 64 * PAGE);
    give(w.pool, a);
    end(w.pool);
}

// The hole between two blocks is filled, and what is free behind it is used too.
static void holes_and_free_pieces_behind_a_block_are_used_together(void **state) {
    (void)state;
    struct world w = expandable(64 * PAGE);
    tarn_addr blocks[8];
    for (int i = 0; i < 8; i++) {
        blocks[i] = get(w.pool, PAGE);
        assert_int_equal(blocks[i], blocks[0] + (uint64_t)i * PAGE);
    }
    give(w.pool, blocks[1]);
    give(w.pool, blocks[2]);
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
    give(w.pool, blocks[3]);
    not_extended(w.pool, blocks[0], 5 * PAGE, TARN_NO_ADDRESS_SPACE);
    extended(w.pool, blocks[0], 4 * PAGE);
    assert_true(fake_is_backed(w.fake, blocks[0], 4 * PAGE));
    assert_int_equal(tarn_pool_reset(w.pool), TARN_OK);
    end(w.pool);
}

static void at_the_limit_handles_move_behind_a_block(void **state) {
    (void)state;
    struct world w = expandable(16 * PAGE);
    tarn_addr blocks[16];
    for (int i = 0; i < 16; i++) blocks[i] = get(w.pool, PAGE);
    give(w.pool, blocks[2]);
    give(w.pool, blocks[7]);
    extended(w.pool, blocks[15], 3 * PAGE);
    assert_int_equal(stats_of(w.pool).moved_bytes, 2 * PAGE);
    not_extended(w.pool, blocks[15], 3 * PAGE + 1, TARN_NO_DEVICE_MEMORY);
    give(w.pool, blocks[3]);
    extended(w.pool, blocks[15], 4 * PAGE);
    assert_int_equal(tarn_pool_reset(w.pool), TARN_OK);
    end(w.pool);
}

static void pages_of_a_stream_that_has_not_passed_do_not_move(void **state) {
    (void)state;
    struct world w = expandable(4 * PAGE);
    tarn_addr a = get(w.pool, PAGE);
    tarn_addr b = get_on(w.pool, PAGE, B);
    tarn_addr c = get(w.pool, 2 * PAGE);
    give(w.pool, b);
    not_extended(w.pool, c, 3 * PAGE, TARN_NO_DEVICE_MEMORY);
    not_extended(w.pool, a, 2 * PAGE, TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tarn_pool_passed(w.pool, B), TARN_OK);
    extended(w.pool, c, 3 * PAGE);
    assert_int_equal(tarn_pool_reset(w.pool), TARN_OK);
    end(w.pool);
}

// Whichever call of the source fails, the block is extended or as it was.
static void a_refused_call_leaves_the_block_as_it_was(void **state) {
    (void)state;
    for (uint64_t n = 1;; n++) {
        struct world w = expandable(12 * PAGE);
        tarn_addr blocks[8];
        for (int i = 0; i < 8; i++) blocks[i] = get(w.pool, PAGE);
        give(w.pool, blocks[2]);
        give(w.pool, blocks[5]);
        uint64_t before = w.fake->calls;
        w.fake->fail_at = before + n;
        bool reached = false;
        tarn_status status = tarn_pool_extend(w.pool, blocks[7], 7 * PAGE);
        reached = w.fake->calls >= w.fake->fail_at;
        w.fake->fail_at = 0;
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        if (status != TARN_OK) {
            tarn_block block;
            assert_int_equal(tarn_pool_query_block(w.pool, blocks[7], &block), TARN_OK);
            assert_int_equal(block.bytes, PAGE);
            assert_int_equal(stats_of(w.pool).live_bytes, 6 * PAGE);
        }
        for (int i = 0; i < 8; i++)
            assert_true(i == 2 || i == 5 || fake_is_backed(w.fake, blocks[i], PAGE));
        extended(w.pool, blocks[7], 7 * PAGE);
        assert_true(fake_is_backed(w.fake, blocks[7], 7 * PAGE));
        assert_int_equal(tarn_pool_reset(w.pool), TARN_OK);
        end(w.pool);
        if (!reached) {
            assert_true(n > 3);
            break;
        }
    }
}

// ---- small blocks

static void a_small_block_grows_within_its_class(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 16 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get(pool, 300);
    tarn_addr b = get(pool, 300);
    uint64_t used = stats_of(pool).used_bytes;
    extended(pool, a, 512);
    extended(pool, a, 512);
    assert_int_equal(stats_of(pool).live_bytes, 812);
    assert_int_equal(stats_of(pool).used_bytes, used);
    not_extended(pool, a, 513, TARN_NO_ADDRESS_SPACE);
    assert_int_equal(tarn_pool_used_on(pool, a, A), TARN_OK);
    extended(pool, b, 400);
    give(pool, a);
    give(pool, b);
    assert_int_equal(stats_of(pool).live_bytes, 0);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_takes_the_free_memory_behind_it),
        cmocka_unit_test(an_extension_is_never_shorter_than_the_block),
        cmocka_unit_test(memory_of_another_stream_is_not_taken_before_it_passes),
        cmocka_unit_test(a_sole_stream_does_not_lend_its_memory),
        cmocka_unit_test(the_rule_applies_to_the_new_size),
        cmocka_unit_test(tags_words_and_streams_of_the_block_stay),
        cmocka_unit_test(a_refused_extension_is_explained),
        cmocka_unit_test(pages_are_mapped_behind_a_block),
        cmocka_unit_test(holes_and_free_pieces_behind_a_block_are_used_together),
        cmocka_unit_test(at_the_limit_handles_move_behind_a_block),
        cmocka_unit_test(pages_of_a_stream_that_has_not_passed_do_not_move),
        cmocka_unit_test(a_refused_call_leaves_the_block_as_it_was),
        cmocka_unit_test(a_small_block_grows_within_its_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
