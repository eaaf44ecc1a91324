// SPDX-License-Identifier: Apache-2.0
// Claims about streams of a pool that is told what has passed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { A = 11, B = 22, C = 33 };

// Of a large block and of a small one.
static const uint64_t sizes[] = {3 * MIB, 200};

static tarn_pool *tight(void) { return fixed(BASE, 8 * MIB, TARN_RULE_GPU_256); }

static void a_block_is_reused_at_once_on_its_own_stream(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        give(pool, a);
        assert_int_equal(get_on(pool, sizes[i], A), a);
        give(pool, a);
        end(pool);
    }
}

static void another_stream_waits_until_it_is_reported(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 6 * MIB, A);
    tarn_addr addr;
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, 0, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(stats_of(pool).pending_bytes, 6 * MIB);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK); // the wrong one
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    assert_int_equal(get_on(pool, 6 * MIB, B), a);
    assert_int_equal(stats_of(pool).pending_bytes, 0);
    give(pool, a);
    end(pool);
}

static void small_blocks_stay_with_their_stream(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a[100];
    for (int i = 0; i < 100; i++) a[i] = get_on(pool, 200, A);
    for (int i = 0; i < 100; i++) give(pool, a[i]);
    for (int i = 0; i < 200; i++) {
        tarn_addr b = get_on(pool, 200, B);
        for (int k = 0; k < 100; k++) assert_int_not_equal(a[k], b);
    }
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void what_is_freed_after_a_report_waits_for_the_next(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 3 * MIB, A);
    tarn_addr b = get_on(pool, 3 * MIB, A);
    tarn_addr addr;
    give(pool, a);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    give(pool, b);
    assert_int_equal(get_on(pool, 3 * MIB, B), a);
    assert_int_equal(tarn_pool_alloc(pool, 3 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    assert_int_equal(get_on(pool, 3 * MIB, B), b);
    give(pool, a);
    give(pool, b);
    end(pool);
}

static void a_stream_reuses_what_waits_and_what_is_young(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 3 * MIB, A);
    tarn_addr b = get_on(pool, 3 * MIB, A);
    tarn_addr addr;
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 3 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY); // marks A
    give(pool, b);
    tarn_addr c = get_on(pool, 3 * MIB, A);
    tarn_addr d = get_on(pool, 3 * MIB, A);
    assert_true((c == a && d == b) || (c == b && d == a));
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    give(pool, c);
    give(pool, d);
    end(pool);
}

static void a_shared_block_waits_for_all_its_streams(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
        assert_int_equal(tarn_pool_used_on(pool, a, C), TARN_OK);
        give(pool, a);
        assert_int_equal(stats_of(pool).live_blocks, 0);
        assert_true(stats_of(pool).pending_bytes >= sizes[i]);
        assert_int_equal(tarn_pool_free(pool, a), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_BAD_ADDRESS);
        tarn_addr b = get_on(pool, sizes[i], A);
        assert_int_not_equal(b, a); // not even its own stream has it
        assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        assert_true(stats_of(pool).pending_bytes >= sizes[i]);
        assert_int_equal(tarn_pool_passed(pool, C), TARN_OK);
        give(pool, b);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        tarn_addr all = get(pool, 8 * MIB);
        give(pool, all);
        end(pool);
    }
}

static void a_block_freed_on_another_stream_waits_for_both(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_free_on(pool, a, B), TARN_OK);
        assert_int_equal(stats_of(pool).live_blocks, 0);
        assert_int_equal(tarn_pool_free_on(pool, a, B), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_free(pool, a), TARN_BAD_ADDRESS);
        tarn_addr b = get_on(pool, sizes[i], A);
        assert_int_not_equal(b, a); // not even its own stream has it
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        assert_true(stats_of(pool).pending_bytes >= sizes[i]);
        assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
        give(pool, b);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
        give(pool, get(pool, 8 * MIB));
        end(pool);
    }
}

static void a_free_on_its_own_or_the_hosts_order_is_an_ordinary_one(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_free_on(pool, a, A), TARN_OK);
        assert_int_equal(get_on(pool, sizes[i], A), a);
        assert_int_equal(tarn_pool_free_on(pool, a, 0), TARN_OK);
        assert_int_equal(get_on(pool, sizes[i], A), a);
        assert_int_equal(tarn_pool_free_on(pool, a + 16, B), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_free_on(pool, a + 16, 0), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_free_on(pool, 0, B), TARN_OK);
        assert_int_equal(tarn_pool_free_on(NULL, a, B), TARN_BAD_ARGUMENT);
        give(pool, a);
        end(pool);
    }
}

static void a_report_before_the_free_does_not_count(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 6 * MIB, A);
    tarn_addr addr;
    assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 6 * MIB, A, &addr), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    assert_int_equal(get_on(pool, 6 * MIB, A), a);
    give(pool, a);
    end(pool);
}

static void use_on_its_own_or_the_hosts_order_adds_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, a, A), TARN_OK);
        assert_int_equal(tarn_pool_used_on(pool, a, 0), TARN_OK);
        give(pool, a);
        assert_int_equal(get_on(pool, sizes[i], A), a);
        give(pool, a);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_used_on(pool, a + 1, B), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_used_on(pool, 5, B), TARN_BAD_ADDRESS);
        end(pool);
    }
}

static void pages_in_flight_are_not_moved(void **state) {
    (void)state;
    struct fake *fake = fake_new(2 * MIB, 16 * MIB);
    tarn_pool *pool;
    tarn_addr addr;
    assert_int_equal(fake_pool(fake, 0, &pool), TARN_OK);
    tarn_addr a = get_on(pool, 12 * MIB, A);
    give(pool, a);
    assert_int_equal(tarn_pool_alloc(pool, 8 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    assert_true(fake_is_backed(fake, a, 12 * MIB));
    assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
    assert_true(fake_is_backed(fake, a, 12 * MIB));
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    tarn_addr b = get_on(pool, 16 * MIB, B);
    assert_true(fake_is_backed(fake, b, 16 * MIB));
    give(pool, b);
    end(pool);
}

static void streams_that_left_the_pool_make_room(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    for (tarn_stream s = 1; s <= 3 * TN_POOL_SLOTS; s++) {
        tarn_addr a = get_on(pool, 100 * KIB, s);
        give(pool, a);
        assert_int_equal(tarn_pool_passed(pool, s), TARN_OK);
    }
    assert_true(tn_pool_slot_count(pool) <= 128);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    end(pool);
}

static void thousands_of_streams_have_memory_at_once(void **state) {
    (void)state;
    static tarn_addr blocks[TN_POOL_SLOTS];
    tarn_pool *pool = fixed(BASE, 4096 * MIB, TARN_RULE_GPU_256);
    unsigned count = 0;
    while (tarn_pool_alloc(pool, 100 * KIB, 2000 + count, &blocks[count]) == TARN_OK) count++;
    assert_int_equal(count, TN_POOL_SLOTS - 1);
    assert_int_equal(tarn_pool_alloc(pool, 1, 99999, &blocks[count]), TARN_NO_HANDLES);
    while (count > 0) give(pool, blocks[--count]);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    for (unsigned s = 0; s < TN_POOL_SLOTS; s++)
        assert_int_equal(tarn_pool_passed(pool, 2000 + s), TARN_OK);
    give(pool, get_on(pool, 1, 99999));
    end(pool);
}

static void a_stream_that_a_block_waits_for_keeps_its_slot(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr live = get(pool, 256);
    tarn_addr next = get(pool, 256);
    for (unsigned i = 0; i < TN_POOL_SLOTS - 1; i++)
        assert_int_equal(tarn_pool_used_on(pool, live, 2000 + i), TARN_OK);
    assert_int_equal(tarn_pool_used_on(pool, live, 2000), TARN_OK);
    assert_int_equal(tarn_pool_used_on(pool, next, 99999), TARN_NO_HANDLES);
    assert_int_equal(tarn_pool_free_on(pool, next, 99999), TARN_NO_HANDLES); // `next` is still live
    give(pool, live);
    assert_int_equal(tarn_pool_used_on(pool, next, 99999), TARN_NO_HANDLES); // it waits still
    for (unsigned i = 0; i < TN_POOL_SLOTS - 1; i++)
        assert_int_equal(tarn_pool_passed(pool, 2000 + i), TARN_OK);
    for (unsigned i = 0; i < TN_POOL_SLOTS; i++) { // many more take their turns
        tarn_addr block = get(pool, 256);
        assert_int_equal(tarn_pool_used_on(pool, block, 50000 + i), TARN_OK);
        give(pool, block);
        assert_int_equal(tarn_pool_passed(pool, 50000 + i), TARN_OK);
    }
    give(pool, next);
    end(pool);
}

// ---- one stream alone

static void a_piece_free_for_all_merges_with_one_of_the_only_stream(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 64 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get_on(pool, 20 * MIB, A);
    give(pool, a);
    assert_int_equal(get_on(pool, 30 * MIB, A), a);
    give(pool, a);
    end(pool);
}

static void memory_that_no_block_had_stays_free_for_others(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 3 * MIB, A);
    give(pool, a);
    assert_int_equal(get_on(pool, 5 * MIB, B), a + 3 * MIB);
    assert_int_equal(stats_of(pool).pending_bytes, 3 * MIB);
    assert_int_equal(get_on(pool, 3 * MIB, A), a);
    give(pool, a);
    give(pool, a + 3 * MIB);
    end(pool);
}

static void a_stream_joins_its_own_piece_with_one_free_for_all(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr b = get_on(pool, MIB, B);
    tarn_addr a = get_on(pool, 3 * MIB, A);
    give(pool, a);
    tarn_addr c = get_on(pool, 6 * MIB, A); // 3 of its own, 3 of the rest
    assert_int_equal(c, a);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    give(pool, c);
    tarn_addr addr;
    assert_int_equal(tarn_pool_alloc(pool, 2 * MIB, B, &addr), TARN_NO_DEVICE_MEMORY);
    give(pool, get_on(pool, MIB, B)); // free for all still
    give(pool, b);
    end(pool);
}

// An order of streams whose work has passed when the test says so, or when somebody waits.
struct work {
    tn_pool_order order; // first
    tn_pool_mark made;
    bool idle;
};

static tarn_status any_stream(tn_pool_order *order, tarn_stream stream) {
    (void)order;
    (void)stream;
    return TARN_OK;
}

static tarn_status count_mark(tn_pool_order *order, tarn_stream stream, tn_pool_mark *mark) {
    (void)stream;
    *mark = ++((struct work *)order)->made;
    return TARN_OK;
}

static bool is_idle(tn_pool_order *order, tn_pool_mark mark, bool wait) {
    (void)mark;
    return wait || ((struct work *)order)->idle;
}

static void keep_order(tn_pool_order *order) { (void)order; }

static const tn_pool_order_ops work_ops = {
    .known = any_stream, .mark = count_mark, .passed = is_idle, .destroy = keep_order};

// A pool of each kind over pages, segments, or a range.
static tarn_pool *ordered(struct work *work, tarn_pool_kind kind) {
    struct fake *fake = NULL;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool;
    desc.kind = kind;
    desc.base = FAKE_BASE;
    desc.bytes = 512 * MIB;
    if (kind != TARN_POOL_FIXED) {
        fake =
            kind == TARN_POOL_EXPANDABLE ? fake_new(2 * MIB, 512 * MIB) : fake_new(0, 4096 * MIB);
    }
    assert_int_equal(
        tn_pool_create_over(&desc, fake != NULL ? &fake->source : NULL, &work->order, &pool),
        TARN_OK);
    return pool;
}

static void one_stream_is_placed_as_none(void **state) {
    (void)state;
    enum { BLOCKS = 200, ROUNDS = 20000 };
    for (int kind = TARN_POOL_FIXED; kind <= TARN_POOL_EXPANDABLE; kind++) {
        struct work work = {{&work_ops}, 0, true};
        tarn_pool *none = ordered(&work, (tarn_pool_kind)kind);
        tarn_pool *one = ordered(&work, (tarn_pool_kind)kind);
        tarn_addr blocks[BLOCKS] = {0};
        uint64_t seed = 7;
        for (int round = 0; round < ROUNDS; round++) {
            seed = seed * UINT64_C(6364136223846793005) + 1;
            unsigned k = (unsigned)(seed >> 33) % BLOCKS;
            uint64_t bytes = 1 + (seed >> 40) % (UINT64_C(1) << (seed >> 20) % 22);
            give(none, blocks[k]);
            give(one, blocks[k]);
            blocks[k] = get(none, bytes);
            assert_int_equal(get_on(one, bytes, A), blocks[k]);
        }
        assert_int_equal(stats_of(none).peak_held_bytes, stats_of(one).peak_held_bytes);
        assert_int_equal(stats_of(none).driver_calls, stats_of(one).driver_calls);
        assert_int_equal(tarn_pool_verify(one), TARN_OK);
        assert_int_equal(tarn_pool_reset(none), TARN_OK);
        assert_int_equal(tarn_pool_reset(one), TARN_OK);
        end(none);
        end(one);
    }
}

static void a_stream_that_stays_alone_has_the_whole_pool_again(void **state) {
    (void)state;
    struct work work = {{&work_ops}, 0, true};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool;
    desc.kind = TARN_POOL_FIXED;
    desc.base = BASE;
    desc.bytes = 8 * MIB;
    assert_int_equal(tn_pool_create_over(&desc, NULL, &work.order, &pool), TARN_OK);
    tarn_addr b = get_on(pool, MIB, B);
    give(pool, b);
    give(pool, get_on(pool, MIB, A));
    assert_int_equal(pool->range.sole, TN_POOL_SHARED);
    for (int i = 0; i < 5000; i++) give(pool, get_on(pool, MIB + (uint64_t)(i % 200) * KIB, A));
    give(pool, get_on(pool, 8 * MIB, A)); // nothing fits before, and A is alone after that
    assert_int_equal(tn_pool_slot_at(pool, pool->range.sole)->stream, A);
    work.idle = false;
    give(pool, get_on(pool, MIB, A));
    assert_int_equal(stats_of(pool).pending_bytes, 0);
    give(pool, get_on(pool, 8 * MIB, A));
    b = get_on(pool, 8 * MIB, B); // after a wait for A
    assert_int_equal(pool->range.sole, TN_POOL_SHARED);
    give(pool, b);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    end(pool);
}

static void a_rare_stream_is_a_guest_of_the_one_that_is_idle(void **state) {
    (void)state;
    struct work work = {{&work_ops}, 0, true};
    tarn_pool *pool = ordered(&work, TARN_POOL_FIXED);
    tarn_addr a = get_on(pool, 3 * MIB, A);
    for (int i = 0; i < 100; i++) {
        give(pool, a);
        a = get_on(pool, 3 * MIB, A);
    }
    unsigned sole = pool->range.sole;
    for (int i = 0; i < 5; i++) {
        give(pool, a);
        tarn_addr b = get_on(pool, 3 * MIB, B);
        assert_true(b <= FAKE_BASE + 3 * MIB); // that A or B had before
        assert_int_equal(pool->range.sole, sole);
        give(pool, b);
        for (int k = 0; k < 16; k++) {
            a = get_on(pool, 3 * MIB, A);
            give(pool, a);
        }
        a = get_on(pool, 3 * MIB, A);
    }
    work.idle = false;
    give(pool, a);
    assert_int_not_equal(get_on(pool, 3 * MIB, B), a);
    assert_int_equal(pool->range.sole, TN_POOL_SHARED);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void the_incomplete_end_of_a_range_comes_back_as_the_rest_does(void **state) {
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        struct work work = {{&work_ops}, 0, true};
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        tarn_pool *pool;
        desc.kind = TARN_POOL_FIXED;
        desc.base = BASE;
        desc.rule = (tarn_rule){256, 4, 0};
        desc.bytes = 8 * MIB + 100;
        assert_int_equal(tn_pool_create_over(&desc, NULL, &work.order, &pool), TARN_OK);
        give(pool, alone == 0 ? get_on(pool, 256, B) : 0);
        give(pool, get_on(pool, desc.bytes, A));
        give(pool, get_on(pool, desc.bytes, B));
        give(pool, get_on(pool, desc.bytes, A));
        give(pool, get(pool, desc.bytes));
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        end(pool);
    }
}

static void pages_of_the_only_stream_are_not_moved_under_its_work(void **state) {
    (void)state;
    struct fake *fake = fake_new(2 * MIB, 18 * MIB);
    struct work work = {{&work_ops}, 0, false};
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool;
    desc.kind = TARN_POOL_EXPANDABLE;
    assert_int_equal(tn_pool_create_over(&desc, &fake->source, &work.order, &pool), TARN_OK);
    tarn_addr a = get_on(pool, 4 * MIB, A);
    tarn_addr b = get_on(pool, 4 * MIB, A);
    tarn_addr c = get_on(pool, 4 * MIB, A);
    give(pool, a);
    assert_int_equal(tarn_pool_trim(pool, 0, TARN_NO_WAIT, NULL), TARN_OK);
    assert_true(fake_is_backed(fake, a, 4 * MIB));
    tarn_addr d = get_on(pool, 4 * MIB + 1, A); // new pages
    assert_true(fake_is_backed(fake, a, 4 * MIB));
    give(pool, c);
    work.idle = true;
    assert_int_equal(tarn_pool_trim(pool, 0, TARN_NO_WAIT, NULL), TARN_OK);
    assert_false(fake_is_backed(fake, a, 4 * MIB));
    assert_true(fake_is_backed(fake, b, 4 * MIB));
    assert_true(fake_is_backed(fake, d, 4 * MIB));
    give(pool, b);
    give(pool, d);
    end(pool);
}

static void a_reset_forgets_streams(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        tarn_pool *pool = tight();
        tarn_addr a = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, a, B), TARN_OK);
        tarn_addr b = get_on(pool, sizes[i], A);
        assert_int_equal(tarn_pool_used_on(pool, b, B), TARN_OK);
        give(pool, b);
        assert_int_equal(tarn_pool_reset(pool), TARN_OK);
        assert_int_equal(stats_of(pool).pending_bytes, 0);
        a = get(pool, 8 * MIB);
        give(pool, a);
        end(pool);
    }
}

// The number of a free that comes between the judgement and the lock of the fit differs.
static void a_young_list_is_taken_only_as_it_was_judged(void **state) {
    (void)state;
    tarn_pool *pool = tight();
    tarn_addr a = get_on(pool, 3 * MIB, A);
    tarn_addr b = get_on(pool, MIB, B);
    unsigned slot = 0;
    tn_mutex_lock(&pool->streams.lock);
    assert_int_equal(tn_pool_slot_get(pool, A, &slot), TARN_OK);
    tn_mutex_unlock(&pool->streams.lock);
    give(pool, a);
    const tn_pool_want want = {.units = 3 * MIB >> pool->unit_shift,
                               .align = UINT64_C(1) << pool->unit_shift,
                               .occupied = 3 * MIB,
                               .bytes = 3 * MIB,
                               .slot = slot};
    tn_store_relaxed(&tn_pool_slot_at(pool, slot)->young_record, 2);
    assert_int_equal(tn_pool_piece_take_of(pool, &want, slot, true, 1), 0);
    assert_int_equal(get_on(pool, 3 * MIB, A), a);
    give(pool, a);
    give(pool, b);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_young_list_is_taken_only_as_it_was_judged),
        cmocka_unit_test(a_block_is_reused_at_once_on_its_own_stream),
        cmocka_unit_test(another_stream_waits_until_it_is_reported),
        cmocka_unit_test(small_blocks_stay_with_their_stream),
        cmocka_unit_test(what_is_freed_after_a_report_waits_for_the_next),
        cmocka_unit_test(a_stream_reuses_what_waits_and_what_is_young),
        cmocka_unit_test(a_shared_block_waits_for_all_its_streams),
        cmocka_unit_test(a_block_freed_on_another_stream_waits_for_both),
        cmocka_unit_test(a_free_on_its_own_or_the_hosts_order_is_an_ordinary_one),
        cmocka_unit_test(a_report_before_the_free_does_not_count),
        cmocka_unit_test(use_on_its_own_or_the_hosts_order_adds_nothing),
        cmocka_unit_test(pages_in_flight_are_not_moved),
        cmocka_unit_test(streams_that_left_the_pool_make_room),
        cmocka_unit_test(thousands_of_streams_have_memory_at_once),
        cmocka_unit_test(a_stream_that_a_block_waits_for_keeps_its_slot),
        cmocka_unit_test(a_piece_free_for_all_merges_with_one_of_the_only_stream),
        cmocka_unit_test(one_stream_is_placed_as_none),
        cmocka_unit_test(memory_that_no_block_had_stays_free_for_others),
        cmocka_unit_test(a_stream_joins_its_own_piece_with_one_free_for_all),
        cmocka_unit_test(a_stream_that_stays_alone_has_the_whole_pool_again),
        cmocka_unit_test(a_rare_stream_is_a_guest_of_the_one_that_is_idle),
        cmocka_unit_test(the_incomplete_end_of_a_range_comes_back_as_the_rest_does),
        cmocka_unit_test(pages_of_the_only_stream_are_not_moved_under_its_work),
        cmocka_unit_test(a_reset_forgets_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
