// SPDX-License-Identifier: Apache-2.0
// Claims about blocks that give up their memory and get it back at the same addresses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { WEIGHTS = 3, OTHER = 4, BLOCKS = 6 };
#define PAGE (2 * MIB)

struct world {
    struct fake *fake;
    tarn_pool *pool;
    tarn_addr blocks[BLOCKS]; // of WEIGHTS
    tarn_addr other;          // in the midst of them
};

static tarn_addr get_tagged(tarn_pool *pool, uint64_t bytes, uint32_t tag) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr addr = 0;
    request.bytes = bytes;
    request.tag = tag;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &addr), TARN_OK);
    return addr;
}

static uint64_t block_bytes(int i) { return (uint64_t)(i + 1) * PAGE / 2; }

// Writes another number into each page of a block.
static void fill(struct world *w, tarn_addr addr, uint64_t bytes, uint64_t seed) {
    for (uint64_t at = 0; at < bytes; at += PAGE)
        *fake_contents(w->fake, addr + at) = seed + at / PAGE;
}

static void has(struct world *w, tarn_addr addr, uint64_t bytes, uint64_t seed) {
    for (uint64_t at = 0; at < bytes; at += PAGE)
        assert_int_equal(*fake_contents(w->fake, addr + at), seed + at / PAGE);
}

// Blocks from half a page to three pages, with a block of another tag after the third. Blocks start
// at pages, so that each page's contents are those of one block.
static struct world world_of(tarn_pool_policy policy) {
    struct world w = {fake_new(PAGE, 64 * PAGE), .pool = NULL};
    assert_non_null(w.fake);
    assert_int_equal(fake_pool(w.fake, policy, &w.pool), TARN_OK);
    for (int i = 0; i < BLOCKS; i++) {
        tarn_pool_request request = TARN_INIT(tarn_pool_request);
        request.bytes = block_bytes(i);
        request.tag = WEIGHTS;
        request.alignment = PAGE;
        assert_int_equal(tarn_pool_alloc_with(w.pool, &request, &w.blocks[i]), TARN_OK);
        fill(&w, w.blocks[i], block_bytes(i), 100 * (uint64_t)i + 1000);
        if (i == 2) {
            request.bytes = PAGE;
            request.tag = OTHER;
            assert_int_equal(tarn_pool_alloc_with(w.pool, &request, &w.other), TARN_OK);
            fill(&w, w.other, PAGE, 7);
        }
    }
    return w;
}

static void is_as_before(struct world *w) {
    assert_int_equal(tarn_pool_verify(w->pool), TARN_OK);
    for (int i = 0; i < BLOCKS; i++) {
        tarn_block block;
        if (w->blocks[i] != 0) {
            assert_int_equal(tarn_pool_query_block(w->pool, w->blocks[i], &block), TARN_OK);
            assert_int_equal(block.bytes, block_bytes(i));
            assert_false(block.asleep);
            has(w, w->blocks[i], block_bytes(i), 100 * (uint64_t)i + 1000);
        }
    }
    has(w, w->other, PAGE, 7);
    assert_int_equal(stats_of(w->pool).sleeping_bytes, 0);
}

static uint64_t sleeps(struct world *w, uint32_t flags) {
    uint64_t released = 0;
    uint64_t held = stats_of(w->pool).held_bytes;
    assert_int_equal(tarn_pool_sleep(w->pool, WEIGHTS, flags, &released), TARN_OK);
    assert_int_equal(tarn_pool_verify(w->pool), TARN_OK);
    assert_int_equal(stats_of(w->pool).held_bytes, held - released);
    assert_int_equal(stats_of(w->pool).sleeping_bytes, released);
    return released;
}

static void over(struct world *w) {
    for (int i = 0; i < BLOCKS; i++)
        if (w->blocks[i] != 0) give(w->pool, w->blocks[i]);
    give(w->pool, w->other);
    assert_int_equal(tarn_pool_trim(w->pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(w->pool).held_bytes, 0);
    end(w->pool);
}

static void blocks_come_back_with_their_contents(void **state) {
    (void)state;
    for (int policy = TARN_POOL_BALANCED; policy <= TARN_POOL_MEMORY; policy++) {
        struct world w = world_of((tarn_pool_policy)policy);
        tarn_block block;
        uint64_t live = stats_of(w.pool).live_bytes;
        uint64_t released = sleeps(&w, 0);
        assert_true(released != 0 && released % PAGE == 0);
        if (policy == TARN_POOL_MEMORY) {
            // All pages of the tag; the other block's and perhaps a free one are left.
            assert_true(stats_of(w.pool).held_bytes <= 2 * PAGE);
            assert_int_equal(tarn_pool_query_block(w.pool, w.blocks[5], &block), TARN_OK);
            assert_true(block.asleep);
        }
        assert_int_equal(stats_of(w.pool).live_bytes, live);
        has(&w, w.other, PAGE, 7);
        assert_int_equal(tarn_pool_sleep(w.pool, WEIGHTS, 0, NULL), TARN_BUSY);
        assert_int_equal(tarn_pool_extend(w.pool, w.blocks[5], 4 * PAGE), TARN_BUSY);
        assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_OK);
        is_as_before(&w);
        assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_OK);
        is_as_before(&w);
        over(&w);
    }
}

static void discarded_contents_need_no_host_memory(void **state) {
    (void)state;
    struct world w = world_of(TARN_POOL_MEMORY);
    uint64_t before = w.fake->calls;
    (void)sleeps(&w, TARN_POOL_DISCARD);
    assert_int_equal(w.fake->calls - before, 2); // one for each run: the other block divides them
    assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_OK);
    for (int i = 0; i < BLOCKS; i++)
        assert_true(fake_is_backed(w.fake, w.blocks[i], block_bytes(i)));
    has(&w, w.other, PAGE, 7);
    over(&w);
}

static void another_program_can_use_the_memory_meanwhile(void **state) {
    (void)state;
    struct world w = world_of(TARN_POOL_MEMORY);
    (void)sleeps(&w, 0);
    tarn_addr large = get_tagged(w.pool, 60 * PAGE, OTHER);
    tarn_addr late = get_tagged(w.pool, PAGE, WEIGHTS);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_NO_DEVICE_MEMORY);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    assert_true(stats_of(w.pool).sleeping_bytes != 0);
    fill(&w, late, PAGE, 9);
    give(w.pool, large);
    assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_OK);
    is_as_before(&w);
    has(&w, late, PAGE, 9); // it was never asleep
    give(w.pool, late);
    over(&w);
}

static void a_sleeping_block_may_be_freed(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct world w = world_of(TARN_POOL_MEMORY);
        assert_int_equal(tarn_pool_used_on(w.pool, w.blocks[1], 11), TARN_OK);
        (void)sleeps(&w, 0);
        for (int i = 0; i < BLOCKS; i++) {
            if (all || i == 1 || i == 4) {
                give(w.pool, w.blocks[i]);
                assert_int_equal(tarn_pool_free(w.pool, w.blocks[i]), TARN_BAD_ADDRESS);
                w.blocks[i] = 0;
                assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
            }
        }
        assert_int_equal(stats_of(w.pool).sleeping_bytes == 0, all);
        tarn_addr more = get_tagged(w.pool, 8 * PAGE, OTHER);
        assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
        give(w.pool, more);
        assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_OK);
        is_as_before(&w);
        over(&w);
    }
}

// Nothing may access a block between sleep and wake. So a stream that is added meanwhile has work
// on it only if the block wakes before its free.
static void streams_added_in_sleep_count_once_awake(void **state) {
    (void)state;
    for (int wakes = 0; wakes < 2; wakes++) {
        struct world w = {fake_new(PAGE, 64 * PAGE), .pool = NULL};
        assert_int_equal(fake_pool(w.fake, TARN_POOL_MEMORY, &w.pool), TARN_OK);
        tarn_addr a = get_tagged(w.pool, 4 * PAGE, WEIGHTS);
        assert_int_equal(sleeps(&w, 0), 4 * PAGE);
        assert_int_equal(tarn_pool_used_on(w.pool, a, 11), TARN_OK);
        if (wakes) assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_OK);
        give(w.pool, a);
        assert_int_equal(stats_of(w.pool).pending_bytes, wakes ? 4 * PAGE : 0);
        assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(stats_of(w.pool).held_bytes, wakes ? 4 * PAGE : 0);
        assert_int_equal(tarn_pool_passed(w.pool, 11), TARN_OK);
        assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(stats_of(w.pool).held_bytes, 0);
        end(w.pool);
    }
}

// Memory beside a block that sleeps keeps its handle while a stream may still use it.
static void freed_memory_in_use_does_not_sleep(void **state) {
    (void)state;
    for (int passed = 0; passed < 2; passed++) {
        struct world w = {fake_new(PAGE, 64 * PAGE), .pool = NULL};
        assert_int_equal(fake_pool(w.fake, TARN_POOL_MEMORY, &w.pool), TARN_OK);
        tarn_addr a = get_tagged(w.pool, 3 * PAGE / 2, WEIGHTS);
        tarn_addr b = get_on(w.pool, PAGE / 2, 11);
        give(w.pool, b);
        if (passed) assert_int_equal(tarn_pool_passed(w.pool, 11), TARN_OK);
        assert_int_equal(sleeps(&w, 0), passed ? 2 * PAGE : PAGE);
        assert_int_equal(fake_is_backed(w.fake, b, PAGE / 2), !passed);
        give(w.pool, a);
        assert_int_equal(fake_is_backed(w.fake, b, PAGE / 2), !passed);
        assert_int_equal(tarn_pool_passed(w.pool, 11), TARN_OK);
        assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(stats_of(w.pool).held_bytes, 0);
        end(w.pool);
    }
}

// A stream with work, and a second thread that frees memory in use and allocates it with the tag,
// just after the first wait of tarn_pool_sleep().
struct racer {
    tn_pool_order order; // first
    uint64_t made, done, enqueued;
    tarn_pool *pool;
    tarn_addr block; // 0: it has run
};

static struct racer *racing;

static tarn_status know_stream(tn_pool_order *order, tarn_stream stream) {
    (void)order;
    (void)stream;
    return TARN_OK;
}

static tarn_status make_mark(tn_pool_order *order, tarn_stream stream, tn_pool_mark *mark) {
    (void)stream;
    *mark = ++((struct racer *)order)->made;
    return TARN_OK;
}

static bool has_passed(tn_pool_order *order, tn_pool_mark mark, bool wait) {
    struct racer *r = (struct racer *)order;
    r->done = wait && mark > r->done ? mark : r->done;
    return r->done >= mark;
}

static void keep_order(tn_pool_order *order) { (void)order; }

static void run_racer(tn_pool_source *source, size_t first, size_t count) {
    struct racer *r = racing;
    fake_drain(source, first, count);
    if (r->block == 0) return;
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    request.bytes = 2 * PAGE;
    request.stream = 11;
    request.tag = WEIGHTS;
    r->enqueued = ++r->made;
    give(r->pool, r->block);
    tarn_addr addr;
    assert_int_equal(tarn_pool_alloc_with(r->pool, &request, &addr), TARN_OK);
    assert_int_equal(addr, r->block);
    r->block = 0;
}

static tarn_status unmap_idle(tn_pool_source *source, uint64_t first, uint64_t pages) {
    assert_true(racing->done >= racing->enqueued);
    return fake_unmap(source, first, pages);
}

static void memory_taken_during_the_call_is_not_in_use(void **state) {
    (void)state;
    static const tn_pool_order_ops order = {
        .known = know_stream, .mark = make_mark, .passed = has_passed, .destroy = keep_order};
    struct racer r = {.order.ops = &order};
    tn_pool_source_ops source;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    struct fake *fake = fake_new(PAGE, 64 * PAGE);
    assert_non_null(fake);
    source = *fake->source.ops;
    source.unmap = unmap_idle;
    fake->source.ops = &source;
    desc.kind = TARN_POOL_EXPANDABLE;
    assert_int_equal(tn_pool_create_over(&desc, &fake->source, &r.order, &r.pool), TARN_OK);
    r.block = get_on(r.pool, 2 * PAGE, 11);
    racing = &r;
    source.drain = run_racer;
    assert_int_equal(tarn_pool_sleep(r.pool, WEIGHTS, 0, NULL), TARN_OK);
    assert_int_equal(r.block, 0);
    assert_int_not_equal(stats_of(r.pool).sleeping_bytes, 0);
    assert_int_equal(tarn_pool_reset(r.pool), TARN_OK);
    end(r.pool);
}

static void a_reset_ends_sleep(void **state) {
    (void)state;
    struct world w = world_of(TARN_POOL_MEMORY);
    (void)sleeps(&w, 0);
    assert_int_equal(tarn_pool_destroy(w.pool), TARN_BUSY);
    assert_int_equal(tarn_pool_reset(w.pool), TARN_OK);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    assert_int_equal(stats_of(w.pool).sleeping_bytes, 0);
    tarn_addr a = get(w.pool, 64 * PAGE);
    assert_true(fake_is_backed(w.fake, a, 64 * PAGE));
    give(w.pool, a);
    end(w.pool);
}

static void handles_shared_with_other_blocks_stay(void **state) {
    (void)state;
    struct world w = {fake_new(PAGE, 64 * PAGE), .pool = NULL};
    assert_int_equal(fake_pool(w.fake, TARN_POOL_MEMORY, &w.pool), TARN_OK);
    tarn_addr a = get_tagged(w.pool, 5 * PAGE / 2, WEIGHTS);
    tarn_addr b = get_tagged(w.pool, PAGE / 4, OTHER);
    tarn_addr small = get_tagged(w.pool, 100, WEIGHTS);
    assert_int_equal(sleeps(&w, 0), 2 * PAGE);
    assert_true(fake_is_backed(w.fake, b, PAGE / 4));
    assert_true(fake_is_backed(w.fake, a + 2 * PAGE, PAGE / 2));
    give(w.pool, a);
    assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
    assert_int_equal(stats_of(w.pool).sleeping_bytes, 0);
    give(w.pool, b);
    give(w.pool, small);
    assert_int_equal(tarn_pool_trim(w.pool, 0, 0, NULL), TARN_OK);
    assert_int_equal(stats_of(w.pool).held_bytes, 0);
    end(w.pool);
}

static void only_expandable_pools_sleep(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    struct world w = world_of(TARN_POOL_BALANCED);
    assert_int_equal(tarn_pool_sleep(pool, 0, 0, NULL), TARN_UNSUPPORTED);
    assert_int_equal(tarn_pool_wake(pool, 0), TARN_UNSUPPORTED);
    assert_int_equal(tarn_pool_sleep(w.pool, TARN_POOL_TAGS, 0, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_sleep(w.pool, 0, 8, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_wake(w.pool, TARN_POOL_TAGS), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_sleep(NULL, 0, 0, NULL), TARN_BAD_ARGUMENT);
    assert_int_equal(tarn_pool_sleep(w.pool, 9, 0, NULL), TARN_OK); // no block has the tag
    is_as_before(&w);
    end(pool);
    over(&w);
}

// Whichever call fails, copies and their host memory included, the tag is awake or asleep as a
// whole, and its contents are kept.
static void a_refused_call_changes_nothing(void **state) {
    (void)state;
    for (int wake = 0; wake < 2; wake++) {
        for (uint64_t n = 1;; n++) {
            struct world w = world_of(TARN_POOL_MEMORY);
            if (wake) (void)sleeps(&w, 0);
            uint64_t asleep = stats_of(w.pool).sleeping_bytes;
            w.fake->fail_at = w.fake->calls + n;
            w.fake->fail_with = TARN_NO_HANDLES;
            tarn_status status =
                wake ? tarn_pool_wake(w.pool, WEIGHTS) : tarn_pool_sleep(w.pool, WEIGHTS, 0, NULL);
            bool reached = w.fake->calls >= w.fake->fail_at;
            w.fake->fail_at = 0;
            assert_int_equal(tarn_pool_verify(w.pool), TARN_OK);
            // Instead of a handle that cannot move, another one is created.
            assert_true(status == (reached ? TARN_NO_HANDLES : TARN_OK) || (wake && reached));
            assert_int_equal(stats_of(w.pool).sleeping_bytes == asleep, status != TARN_OK);
            if (wake == 0 && reached) is_as_before(&w);
            assert_int_equal(tarn_pool_wake(w.pool, WEIGHTS), TARN_OK);
            is_as_before(&w);
            over(&w);
            if (!reached) {
                assert_true(n > 8);
                break;
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_back_with_their_contents),
        cmocka_unit_test(discarded_contents_need_no_host_memory),
        cmocka_unit_test(another_program_can_use_the_memory_meanwhile),
        cmocka_unit_test(a_sleeping_block_may_be_freed),
        cmocka_unit_test(streams_added_in_sleep_count_once_awake),
        cmocka_unit_test(freed_memory_in_use_does_not_sleep),
        cmocka_unit_test(memory_taken_during_the_call_is_not_in_use),
        cmocka_unit_test(a_reset_ends_sleep),
        cmocka_unit_test(handles_shared_with_other_blocks_stay),
        cmocka_unit_test(only_expandable_pools_sleep),
        cmocka_unit_test(a_refused_call_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
