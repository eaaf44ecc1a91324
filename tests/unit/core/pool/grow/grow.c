// SPDX-License-Identifier: Apache-2.0
// Claims about pools that grow: segments, pages that come and move, trim, and what is left when the
// device refuses any one call.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

#define PAGE (2 * MIB)

struct world {
    struct fake *fake;
    tarn_pool *pool;
};

static struct world expandable(uint64_t capacity, tarn_pool_policy policy) {
    struct world w = {fake_new(PAGE, capacity), NULL};
    assert_non_null(w.fake);
    assert_int_equal(fake_pool(w.fake, policy, &w.pool), TARN_OK);
    return w;
}

static tarn_addr get_backed(struct world *w, uint64_t bytes) {
    tarn_addr addr = get(w->pool, bytes);
    assert_true(fake_is_backed(w->fake, addr, bytes));
    return addr;
}

static void nothing_is_held_before_the_first_block(void **state) {
    (void)state;
    struct world w = expandable(64 * MIB, 0);
    assert_int_equal(stats_of(w.pool).held_bytes, 0);
    assert_int_equal(w.fake->calls, 0);
    tarn_addr a = get_backed(&w, 1);
    assert_int_equal(stats_of(w.pool).held_bytes, PAGE);
    give(w.pool, a);
    end(w.pool);
}

static void a_full_device_is_used_to_the_last_page(void **state) {
    (void)state;
    struct world w = expandable(64 * MIB, TARN_POOL_BALANCED);
    tarn_addr blocks[32];
    for (int i = 0; i < 32; i++) blocks[i] = get_backed(&w, PAGE);
    refused(w.pool, 1);
    assert_int_equal(stats_of(w.pool).held_bytes, 64 * MIB);
    for (int i = 0; i < 32; i++) give(w.pool, blocks[i]);
    end(w.pool);
}

static void scattered_free_pages_serve_one_large_block(void **state) {
    (void)state;
    struct world w = expandable(64 * MIB, TARN_POOL_TIME);
    tarn_addr blocks[32];
    for (int i = 0; i < 32; i++) blocks[i] = get(w.pool, PAGE);
    for (int i = 0; i < 32; i += 2) give(w.pool, blocks[i]);
    tarn_addr large = get_backed(&w, 16 * PAGE);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    assert_int_equal(stats_of(w.pool).moved_bytes, 16 * PAGE);
    for (int i = 1; i < 32; i += 2) {
        assert_true(fake_is_backed(w.fake, blocks[i], PAGE));
        give(w.pool, blocks[i]);
    }
    give(w.pool, large);
    end(w.pool);
}

static void the_memory_policy_moves_pages_where_the_time_policy_creates(void **state) {
    (void)state;
    uint64_t held[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct world w = expandable(640 * MIB, k == 0 ? TARN_POOL_MEMORY : TARN_POOL_TIME);
        tarn_addr blocks[64];
        for (int i = 0; i < 64; i++) blocks[i] = get(w.pool, PAGE);
        for (int i = 0; i < 64; i += 2) give(w.pool, blocks[i]);
        tarn_addr large = get_backed(&w, 32 * PAGE);
        held[k] = stats_of(w.pool).held_bytes;
        give(w.pool, large);
        for (int i = 1; i < 64; i += 2) give(w.pool, blocks[i]);
        end(w.pool);
    }
    assert_true(held[0] <= 65 * PAGE);
    assert_int_equal(held[1], 96 * PAGE);
}

static void growth_continues_a_free_piece(void **state) {
    (void)state;
    struct world w = expandable(640 * MIB, TARN_POOL_BALANCED);
    tarn_addr a = get(w.pool, 3 * PAGE);
    give(w.pool, a);
    tarn_addr b = get_backed(&w, 5 * PAGE);
    assert_int_equal(a, b);
    assert_int_equal(stats_of(w.pool).held_bytes, 5 * PAGE);
    give(w.pool, b);
    end(w.pool);
}

// Each short block would fit into a smaller piece, whose handle it would keep from moving.
static void short_blocks_lie_together(void **state) {
    (void)state;
    struct world w = expandable(640 * MIB, TARN_POOL_BALANCED);
    tarn_addr apart[4], blocks[4], shorts[4];
    for (uint64_t i = 0; i < 4; i++) {
        blocks[i] = get(w.pool, (i == 0 ? 20 : 2 + i) * PAGE);
        apart[i] = get(w.pool, PAGE);
    }
    for (int i = 0; i < 4; i++) give(w.pool, blocks[i]);
    for (uint64_t i = 1; i < 4; i++) {
        shorts[i] = get(w.pool, PAGE / 16);
        blocks[i] = get(w.pool, (1 + i) * PAGE + PAGE / 2);
        assert_in_range(shorts[i], blocks[0], blocks[0] + PAGE);
    }
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    for (int i = 0; i < 4; i++) {
        give(w.pool, apart[i]);
        if (i > 0) give(w.pool, blocks[i]);
        if (i > 0) give(w.pool, shorts[i]);
    }
    end(w.pool);
}

static void memory_of_short_blocks_serves_others(void **state) {
    (void)state;
    struct world w = expandable(640 * MIB, TARN_POOL_BALANCED);
    tarn_addr blocks[64];
    tarn_addr first = get(w.pool, PAGE / 16);
    for (int i = 0; i < 64; i++) blocks[i] = get(w.pool, PAGE / 16);
    uint64_t held = stats_of(w.pool).held_bytes;
    for (int i = 0; i < 64; i++) give(w.pool, blocks[i]);
    assert_int_equal(tarn_pool_extend(w.pool, first, PAGE), TARN_OK);
    tarn_addr large = get_backed(&w, held - PAGE);
    assert_int_equal(stats_of(w.pool).held_bytes, held);
    give(w.pool, large);
    give(w.pool, first);
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(w.pool).held_bytes, 0);
    end(w.pool);
}

static void a_growth_is_a_few_exact_handles(void **state) {
    (void)state;
    struct world w = expandable(UINT64_C(2560) * PAGE, TARN_POOL_TIME); // handles of 20 pages
    tarn_addr a = get_backed(&w, 40 * PAGE);
    assert_int_equal(w.fake->created, 2);
    assert_int_equal(w.fake->calls, 3); // and one map
    assert_int_equal(stats_of(w.pool).held_bytes, 40 * PAGE);
    tarn_addr b = get_backed(&w, 3 * PAGE - 5);
    assert_int_equal(w.fake->created, 3);
    give(w.pool, a);
    give(w.pool, b);
    end(w.pool);
}

static void the_time_policy_rounds_growth_up(void **state) {
    (void)state;
    struct world w = expandable(UINT64_C(2560) * PAGE, TARN_POOL_TIME);
    tarn_addr a = get_backed(&w, 1);
    assert_int_equal(w.fake->created, 1);
    assert_int_equal(stats_of(w.pool).held_bytes, 16 * MIB);
    give(w.pool, a);
    end(w.pool);
}

// A hole between two free pieces that are too short by themselves.
static void a_hole_between_free_pieces_is_filled(void **state) {
    (void)state;
    struct world w = expandable(64 * PAGE, TARN_POOL_MEMORY);
    tarn_addr blocks[4];
    for (int i = 0; i < 4; i++) blocks[i] = get_backed(&w, 10 * PAGE);
    give(w.pool, blocks[1]);
    assert_int_equal(tarn_pool_trim(w.pool, 30 * PAGE, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(w.pool).held_bytes, 30 * PAGE);
    give(w.pool, blocks[0]);
    give(w.pool, blocks[2]);
    tarn_addr large = get_backed(&w, 30 * PAGE);
    assert_int_equal(large, blocks[0]);
    assert_int_equal(stats_of(w.pool).held_bytes, 40 * PAGE);
    assert_int_equal(stats_of(w.pool).moved_bytes, 0);
    give(w.pool, blocks[3]);
    give(w.pool, large);
    end(w.pool);
}

// With a single handle that is too long for the hole behind a free piece, a fresh range is used.
static void a_handle_too_long_for_the_hole_goes_to_a_fresh_range(void **state) {
    (void)state;
    struct world w = expandable(UINT64_C(5120) * PAGE, TARN_POOL_TIME); // handles of 16 pages
    tarn_addr blocks[4];
    for (int i = 0; i < 4; i++) blocks[i] = get_backed(&w, 16 * PAGE);
    assert_int_equal(w.fake->created, 4);
    assert_int_equal(tarn_pool_set_limit(w.pool, 64 * PAGE), TARN_OK);
    give(w.pool, blocks[1]);
    give(w.pool, blocks[3]);
    tarn_addr large = get_backed(&w, 32 * PAGE);
    assert_int_equal(stats_of(w.pool).held_bytes, 64 * PAGE);
    refused(w.pool, 1);
    give(w.pool, blocks[0]);
    give(w.pool, blocks[2]);
    give(w.pool, large);
    end(w.pool);
}

static void statistics_count_handles_and_their_time(void **state) {
    (void)state;
    struct world w = expandable(32 * PAGE, TARN_POOL_MEMORY);
    w.fake->source.costs = (tarn_backend_costs){.create_ns = 1000000,
                                                .destroy_ns = 100000,
                                                .map_ns = 10000,
                                                .access_ns = 1000,
                                                .unmap_ns = 100,
                                                .gib_ns = 512};
    tarn_addr blocks[32];
    for (int i = 0; i < 32; i++) blocks[i] = get(w.pool, PAGE);
    for (int i = 0; i < 32; i += 2) give(w.pool, blocks[i]);
    tarn_addr large = get_backed(&w, 16 * PAGE);
    tarn_pool_stats stats = stats_of(w.pool);
    assert_int_equal(stats.created_handles, 32);
    assert_int_equal(stats.created_bytes, 32 * PAGE);
    assert_int_equal(stats.moved_handles, stats.moved_bytes / PAGE);
    assert_true(stats.moved_handles >= 15 && stats.moved_handles <= 16);
    assert_int_equal(stats.mapped_handles, 32 + stats.moved_handles);
    assert_int_equal(stats.mapped_bytes, stats.mapped_handles * PAGE);
    assert_int_equal(stats.device_ns,
                     32 * 1000000 + stats.mapped_handles * 11000 + stats.moved_handles * 100 + 32);
    give(w.pool, large);
    for (int i = 1; i < 32; i += 2) give(w.pool, blocks[i]);
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(w.pool).device_ns, stats.device_ns + 32 * UINT64_C(100100));
    end(w.pool);
}

// Handles are short where calls are cheap, and nothing is created ahead where bytes are dear.
static void the_costs_of_the_device_decide_the_handles(void **state) {
    (void)state;
    static const struct {
        tarn_backend_costs costs;
        uint64_t handles, pages;
    } rows[] = {{{.create_ns = 72000}, 2, 40},
                {{.create_ns = 10000}, 10, 40},
                {{.create_ns = 72000, .gib_ns = UINT64_C(1) << 32}, 2, 33}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct world w = expandable(UINT64_C(2560) * PAGE, TARN_POOL_TIME);
        w.fake->source.costs = rows[i].costs;
        tarn_addr a = get_backed(&w, 33 * PAGE);
        assert_int_equal(stats_of(w.pool).created_handles, rows[i].handles);
        assert_int_equal(stats_of(w.pool).held_bytes, rows[i].pages * PAGE);
        give(w.pool, a);
        end(w.pool);
    }
}

static void the_limit_is_kept(void **state) {
    (void)state;
    struct fake *fake = fake_new(PAGE, 640 * MIB);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.limit = 10 * PAGE + 5;
    assert_int_equal(tn_pool_create_over(&desc, &fake->source, NULL, &pool), TARN_OK);
    refused(pool, 11 * PAGE);
    tarn_addr a = get(pool, 10 * PAGE);
    refused(pool, 1);
    give(pool, a);
    assert_int_equal(stats_of(pool).peak_held_bytes, 10 * PAGE);
    end(pool);
}

static void trim_gives_whole_free_pages_back(void **state) {
    (void)state;
    struct world w = expandable(128 * MIB, TARN_POOL_BALANCED);
    uint64_t released = 0;
    tarn_addr a = get(w.pool, 10 * PAGE);
    tarn_addr b = get(w.pool, PAGE / 2);
    tarn_addr small = get(w.pool, 100);
    give(w.pool, a);
    assert_int_equal(tarn_pool_trim(w.pool, 8 * PAGE, 0, &released), TARN_OK);
    assert_int_equal(released, 3 * PAGE);
    assert_int_equal(stats_of(w.pool).held_bytes, 8 * PAGE);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, &released), TARN_OK);
    assert_int_equal(stats_of(w.pool).held_bytes, PAGE);
    give(w.pool, b);
    give(w.pool, small);
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(w.pool).held_bytes, 0);
    a = get_backed(&w, 10 * PAGE);
    give(w.pool, a);
    end(w.pool);
}

// After a peak of 300 pages, new memory is not created for scattered free pages any more.
static void a_trim_ends_the_memory_of_a_peak(void **state) {
    (void)state;
    struct world w = expandable(640 * MIB, TARN_POOL_BALANCED);
    give(w.pool, get(w.pool, 300 * PAGE));
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
    tarn_addr blocks[32];
    for (int i = 0; i < 32; i++) blocks[i] = get(w.pool, 4 * PAGE);
    for (int i = 0; i < 32; i += 2) give(w.pool, blocks[i]);
    tarn_addr large = get_backed(&w, 64 * PAGE);
    assert_true(stats_of(w.pool).held_bytes <= 144 * PAGE);
    give(w.pool, large);
    for (int i = 1; i < 32; i += 2) give(w.pool, blocks[i]);
    end(w.pool);
}

static void an_alignment_beyond_the_page_is_kept(void **state) {
    (void)state;
    struct world w = {fake_new(64 * KIB, 64 * MIB), NULL};
    assert_int_equal(fake_pool(w.fake, TARN_POOL_BALANCED, &w.pool), TARN_OK);
    for (int i = 0; i < 5; i++) {
        tarn_pool_request request = TARN_INIT(tarn_pool_request);
        tarn_addr addr;
        request.bytes = 300 * KIB;
        request.alignment = MIB;
        assert_int_equal(tarn_pool_alloc_with(w.pool, &request, &addr), TARN_OK);
        assert_int_equal(addr % MIB, 0);
        assert_true(fake_is_backed(w.fake, addr, request.bytes));
    }
    assert_int_equal(tarn_pool_reset(w.pool), TARN_OK);
    end(w.pool);
}

static void a_reset_keeps_the_pages(void **state) {
    (void)state;
    struct world w = expandable(640 * MIB, TARN_POOL_BALANCED);
    for (uint64_t i = 0; i < 50; i++) (void)get(w.pool, i * 100 * KIB + 1);
    uint64_t held = stats_of(w.pool).held_bytes;
    assert_int_equal(tarn_pool_reset(w.pool), TARN_OK);
    assert_int_equal(stats_of(w.pool).held_bytes, held);
    tarn_addr a = get_backed(&w, held);
    assert_int_equal(stats_of(w.pool).held_bytes, held);
    give(w.pool, a);
    end(w.pool);
}

// ---- segments

static void segments_grow_and_are_given_back(void **state) {
    (void)state;
    struct world w = {fake_new(0, 256 * MIB), NULL};
    bool gone = false;
    uint64_t released = 0;
    w.fake->gone = &gone;
    assert_int_equal(fake_pool(w.fake, TARN_POOL_BALANCED, &w.pool), TARN_OK);
    tarn_addr small = get(w.pool, 100);
    assert_int_equal(stats_of(w.pool).held_bytes, 32 * MIB);
    tarn_addr a = get(w.pool, 20 * MIB);
    tarn_addr b = get(w.pool, 20 * MIB);
    tarn_addr c = get(w.pool, 100 * MIB);
    assert_int_equal(w.fake->segments, 3);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    give(w.pool, c);
    give(w.pool, b);
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, &released), TARN_OK);
    assert_int_equal(released, 120 * MIB); // a large block's segment is exact
    assert_int_equal(stats_of(w.pool).held_bytes, 32 * MIB);
    give(w.pool, a);
    give(w.pool, small);
    end(w.pool);
    assert_true(gone);
}

static void a_full_device_gives_smaller_segments_and_takes_free_ones_back(void **state) {
    (void)state;
    struct world w = {fake_new(0, 70 * MIB), NULL};
    assert_int_equal(fake_pool(w.fake, TARN_POOL_BALANCED, &w.pool), TARN_OK);
    tarn_addr a = get(w.pool, 31 * MIB);
    tarn_addr b = get(w.pool, 31 * MIB);
    tarn_addr c = get(w.pool, 5 * MIB); // no 32 MiB left
    refused(w.pool, 5 * MIB);
    give(w.pool, a);
    tarn_addr d = get(w.pool, 32 * MIB + 5); // in place of the free one
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    give(w.pool, b);
    give(w.pool, c);
    give(w.pool, d);
    end(w.pool);
}

// The smallest free segment that suffices makes room for a new one.
static void the_smallest_free_segment_is_released(void **state) {
    (void)state;
    struct world w = {fake_new(0, 640 * MIB), NULL};
    assert_int_equal(fake_pool(w.fake, TARN_POOL_BALANCED, &w.pool), TARN_OK);
    tarn_addr small = get(w.pool, 40 * MIB);
    tarn_addr large = get(w.pool, 100 * MIB);
    tarn_addr middle = get(w.pool, 60 * MIB);
    give(w.pool, large);
    give(w.pool, middle);
    give(w.pool, small);
    tarn_addr next = get(w.pool, 140 * MIB); // 340 of 200 needed: 104 are too many
    assert_int_equal(stats_of(w.pool).held_bytes, 200 * MIB);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    give(w.pool, next);
    end(w.pool);
}

static void segments_may_lie_anywhere(void **state) {
    (void)state;
    static const tarn_addr below[] = {UINT64_C(5) << 33, UINT64_C(0x7fffffffffff),
                                      UINT64_C(0x1010000800000000), UINT64_MAX};
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        struct world w = {fake_new(0, 256 * MIB), NULL};
        w.fake->below = below[i] & ~UINT64_C(4095);
        assert_int_equal(fake_pool(w.fake, TARN_POOL_BALANCED, &w.pool), TARN_OK);
        tarn_addr a = get(w.pool, 20 * MIB);
        tarn_addr b = get(w.pool, 20 * MIB);
        tarn_addr c = get(w.pool, 9);
        assert_int_equal(w.fake->segments, 3);
        assert_int_equal(tarn_pool_free(w.pool, a + 256), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_free(w.pool, a + (UINT64_C(1) << 48)), TARN_BAD_ADDRESS);
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        give(w.pool, a);
        give(w.pool, b);
        give(w.pool, c);
        end(w.pool);
    }
}

// ---- failures

struct script {
    tarn_addr blocks[40];
    uint64_t sizes[40];
};

// Grows, frees every other block, asks for one that needs moving and creating. Returns the first
// status that was not good.
static tarn_status run_script(struct world *w, struct script *s) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 40; i++) {
        s->sizes[i] = i == 39 ? 30 * PAGE : (uint64_t)(1 + i % 5) * (PAGE / 2) + 1;
        if (i == 39) {
            for (int k = 0; k < 39; k += 2) {
                give(w->pool, s->blocks[k]);
                s->blocks[k] = 0;
            }
        }
        tarn_addr before = s->blocks[i];
        tarn_status status = tarn_pool_alloc(w->pool, s->sizes[i], 0, &s->blocks[i]);
        if (status != TARN_OK) {
            assert_int_equal(s->blocks[i], before);
            return status;
        }
    }
    return TARN_OK;
}

static void blocks_are_whole(struct world *w, const struct script *s, bool pages) {
    uint64_t live = 0;
    for (int i = 0; i < 40; i++) {
        if (s->blocks[i] != 0) {
            live += s->sizes[i];
            assert_true(!pages || fake_is_backed(w->fake, s->blocks[i], s->sizes[i]));
        }
    }
    assert_int_equal(stats_of(w->pool).live_bytes, live);
    assert_int_equal(tarn_pool_verify(w->pool), TARN_OK);
}

// Fails call 1, then call 2 and so on of the same scenario until nothing fails any more.
static void fail_each_call(uint64_t page_bytes, tarn_pool_policy policy, uint64_t capacity) {
    bool failed = true;
    uint64_t n = 1;
    for (; failed; n++) {
        struct world w = {fake_new(page_bytes, capacity), NULL};
        struct script script;
        bool gone = false;
        w.fake->fail_at = n;
        w.fake->gone = &gone;
        assert_int_equal(fake_pool(w.fake, policy, &w.pool), TARN_OK);
        tarn_status status = run_script(&w, &script);
        assert_true(status == TARN_OK || status == TARN_NO_DEVICE_MEMORY);
        failed = w.fake->calls >= n;
        blocks_are_whole(&w, &script, page_bytes != 0);
        for (int i = 0; i < 40; i++) give(w.pool, script.blocks[i]);
        assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        assert_true(!failed || stats_of(w.pool).held_bytes == 0);
        end(w.pool);
        assert_true(gone);
    }
    assert_true(n > 5);
}

static void any_failing_call_leaves_the_pool_whole(void **state) {
    (void)state;
    fail_each_call(PAGE, TARN_POOL_BALANCED, 640 * MIB);
    fail_each_call(PAGE, TARN_POOL_MEMORY, 640 * MIB);
    fail_each_call(PAGE, TARN_POOL_TIME, 640 * MIB);
    fail_each_call(PAGE, TARN_POOL_TIME, 150 * MIB); // must move
    fail_each_call(0, TARN_POOL_BALANCED, 640 * MIB);
}

// A device that states its free memory is not called. One that does not is called until it refuses.
static void a_refused_growth_is_undone(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct world w = {fake_new(k < 2 ? PAGE : 0, 64 * MIB), NULL};
        w.fake->exact = k % 2 == 0;
        assert_int_equal(fake_pool(w.fake, TARN_POOL_TIME, &w.pool), TARN_OK);
        tarn_addr kept = get(w.pool, 3 * PAGE);
        tarn_pool_stats before = stats_of(w.pool);
        uint64_t calls = w.fake->calls;
        refused(w.pool, 62 * MIB);
        tarn_pool_stats after = stats_of(w.pool);
        assert_int_equal(after.held_bytes, before.held_bytes);
        assert_int_equal(after.peak_held_bytes, before.peak_held_bytes);
        if (w.fake->exact) assert_int_equal(w.fake->calls, calls);
        give(w.pool, kept);
        end(w.pool);
    }
}

// The handle that the pool chose to move stays where it is: the next block of its size needs no call.
static void a_refused_handle_moves_nothing(void **state) {
    (void)state;
    struct world w = expandable(64 * MIB, TARN_POOL_MEMORY);
    tarn_addr blocks[20];
    for (int i = 0; i < 20; i++) blocks[i] = get(w.pool, PAGE);
    for (int i = 0; i < 20; i += 2) give(w.pool, blocks[i]);
    w.fake->fail_from = w.fake->calls + 1;
    refused(w.pool, 14 * PAGE);
    uint64_t calls = w.fake->calls;
    for (int i = 0; i < 20; i += 2) blocks[i] = get_backed(&w, PAGE);
    assert_int_equal(w.fake->calls, calls);
    for (int i = 0; i < 20; i++) give(w.pool, blocks[i]);
    w.fake->fail_from = 0;
    end(w.pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_growth_is_undone),
        cmocka_unit_test(a_refused_handle_moves_nothing),
        cmocka_unit_test(nothing_is_held_before_the_first_block),
        cmocka_unit_test(a_full_device_is_used_to_the_last_page),
        cmocka_unit_test(scattered_free_pages_serve_one_large_block),
        cmocka_unit_test(the_memory_policy_moves_pages_where_the_time_policy_creates),
        cmocka_unit_test(short_blocks_lie_together),
        cmocka_unit_test(memory_of_short_blocks_serves_others),
        cmocka_unit_test(growth_continues_a_free_piece),
        cmocka_unit_test(a_growth_is_a_few_exact_handles),
        cmocka_unit_test(the_time_policy_rounds_growth_up),
        cmocka_unit_test(a_hole_between_free_pieces_is_filled),
        cmocka_unit_test(a_handle_too_long_for_the_hole_goes_to_a_fresh_range),
        cmocka_unit_test(statistics_count_handles_and_their_time),
        cmocka_unit_test(the_costs_of_the_device_decide_the_handles),
        cmocka_unit_test(the_limit_is_kept),
        cmocka_unit_test(trim_gives_whole_free_pages_back),
        cmocka_unit_test(a_trim_ends_the_memory_of_a_peak),
        cmocka_unit_test(an_alignment_beyond_the_page_is_kept),
        cmocka_unit_test(a_reset_keeps_the_pages),
        cmocka_unit_test(segments_grow_and_are_given_back),
        cmocka_unit_test(a_full_device_gives_smaller_segments_and_takes_free_ones_back),
        cmocka_unit_test(the_smallest_free_segment_is_released),
        cmocka_unit_test(segments_may_lie_anywhere),
        cmocka_unit_test(any_failing_call_leaves_the_pool_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
