// SPDX-License-Identifier: Apache-2.0
// Plans made from requests: the places that they have, and the checks of their bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

#include "core/pool/plan/format.h"
#include "support/clock.h"

#define MIB  (UINT64_C(1) << 20)
#define SLAB (UINT64_C(16) << 10)
#define NONE UINT64_MAX

enum { MOST = 64 };

static char plan[TN_PLAN_ROOM(MOST)];
static size_t plan_bytes;

static tarn_status make(const tarn_plan_block *blocks, size_t count, uint64_t period) {
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    desc.blocks = blocks;
    desc.count = count;
    desc.period = period;
    desc.limit_steps = 1 << 16;
    return tn_plan_make(&desc, plan, sizeof plan, &plan_bytes);
}

static tarn_plan_info info(void) {
    tarn_plan_info found = TARN_INIT(tarn_plan_info);
    tarn_plan *handle = NULL;
    assert_int_equal(tarn_plan_parse(plan, plan_bytes, &handle), TARN_OK);
    assert_int_equal(tarn_plan_query(handle, &found), TARN_OK);
    tarn_plan_destroy(handle);
    return found;
}

static tn_plan_request request_at(uint64_t index) {
    tn_plan_head head;
    assert_int_equal(tn_plan_check(plan, plan_bytes, &head), TARN_OK);
    assert_in_range(index, 0, head.count - 1);
    return tn_plan_request_at(plan, &head, index);
}

static void blocks_that_do_not_meet_share_a_place(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {
        {4 * MIB, 0, 10, 0, 3}, {100, 1, 2, 0, 0}, {MIB, 2, 4, 0, 0}, {MIB, 4, NONE, 0, 0}};
    assert_int_equal(make(blocks, 4, 0), TARN_OK);
    tarn_plan_info found = info();
    assert_int_equal(found.blocks, 3); // the small one has a slab
    assert_int_equal(found.streams, 1);
    assert_int_equal(found.bound, 5 * MIB + SLAB);
    assert_int_equal(found.height, 5 * MIB + SLAB);
    assert_int_equal(found.rule.start, 256);
    assert_int_equal(tn_plan_stride(request_at(0).tag), 256);
    assert_int_equal(request_at(1).tag, 3);
    assert_int_equal(request_at(2).offset, request_at(3).offset);
}

static void streams_share_no_memory(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {
        {5, 0, 9, 3, 0}, {MIB, 0, 9, 9, 0}, {MIB, 1, 2, 3, 0}, {MIB, 9, 10, 9, 0}};
    assert_int_equal(make(blocks, 4, 0), TARN_OK);
    assert_int_equal(info().streams, 2);
    assert_int_equal(info().height, 2 * MIB + SLAB);
    assert_int_equal(request_at(0).stream, 0); // in the order of their first requests
    assert_int_equal(request_at(1).stream, 1);
    assert_int_equal(request_at(1).offset, 0); // in the memory of its stream
    assert_int_equal(request_at(2).stream, 0);
}

// The slabs of a class hold exactly the most blocks that live at one moment, rounded up to 16 KiB.
static void slabs_hold_the_small_blocks_that_live_at_one_moment(void **state) {
    (void)state;
    tarn_plan_block blocks[MOST];
    for (size_t i = 0; i < MOST; i++)
        blocks[i] = (tarn_plan_block){i < 40 ? 16000 : 600, i, i < 40 ? 100 : i + 2, 0, 0};
    blocks[MOST - 1] = (tarn_plan_block){MIB, MOST, 90, 0, 0};
    static const struct {
        uint32_t stride, slabs;
    } expected[] = {{768, 1}, {16384, 16}, {16384, 16}, {16384, 8}};
    uint64_t offset = 0;
    assert_int_equal(make(blocks, MOST, 0), TARN_OK);
    assert_int_equal(info().blocks, 1);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tn_plan_stride(request_at(i).tag), expected[i].stride);
        assert_int_equal(request_at(i).bytes, expected[i].slabs * SLAB);
        assert_int_equal(request_at(i).offset, offset);
        offset += request_at(i).bytes;
    }
    assert_int_equal(request_at(4).offset, offset);
    assert_int_equal(info().height, MIB + offset);
}

// With slabs of their own, the blocks would need three granules.
static void small_blocks_share_slabs_of_at_most_twice_their_size(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{1000, 0, 9, 0, 0}, {2000, 1, 9, 0, 0}, {3000, 2, 9, 0, 0}};
    assert_int_equal(make(blocks, 3, 0), TARN_OK);
    assert_int_equal(info().height, 2 * SLAB);
    assert_int_equal(tn_plan_stride(request_at(0).tag), 2048);
    assert_int_equal(tn_plan_joined(request_at(0).tag), 4); // 1024, 1280, 1536, 1792
    assert_int_equal(tn_plan_stride(request_at(1).tag), 3072);
    assert_int_equal(tn_plan_joined(request_at(1).tag), 0);
}

// Places of their own would need twice the memory.
static void only_one_of_streams_that_take_turns_has_places(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{MIB, 0, 1, 4, 0}, {2 * MIB, 1, 2, 5, 0}, {MIB, 2, 3, 4, 0}};
    assert_int_equal(make(blocks, 3, 0), TARN_OK);
    assert_int_equal(info().blocks, 1);
    assert_int_equal(info().height, 2 * MIB);
    assert_int_equal(info().streams, 2); // the first stream of the pool has none
    assert_int_equal(request_at(0).stream, 1);
}

// The second block is freed in the next pass, when the first one of that pass lives.
static void blocks_of_the_next_pass_count(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{MIB, 0, 50, 0, 0}, {2 * MIB, 60, 110, 0, 0}};
    assert_int_equal(make(blocks, 2, 0), TARN_OK);
    assert_int_equal(info().height, 2 * MIB);
    assert_int_equal(make(blocks, 2, 100), TARN_OK);
    assert_int_equal(info().height, 3 * MIB);
}

// A pass may begin at its peak: the gradients of a step live until the next one has begun.
static void pass_is_cut_where_few_bytes_live(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {
        {2 * MIB, 20, 40, 0, 0}, {MIB, 30, 40, 0, 0}, {8 * MIB, 60, 110, 0, 0}};
    assert_int_equal(make(blocks, 3, 100), TARN_OK);
    assert_int_equal(info().height, 8 * MIB);
    const tarn_plan_block longer[] = {{MIB, 0, NONE, 0, 0}, {MIB, 5, 6, 0, 0}};
    assert_int_equal(make(longer, 2, 100), TARN_OK);
    assert_int_equal(info().height, 2 * MIB);
}

static bool stop(const tarn_plan_info *best, void *arg) {
    (*(unsigned *)arg)++;
    assert_true(best->height > best->bound);
    return false;
}

static bool count_calls(const tarn_plan_info *best, void *arg) {
    (void)best;
    (*(unsigned *)arg)++;
    return true;
}

// No placement of these reaches the bound.
static void make_hard(tarn_plan_block *blocks) {
    srand(4);
    for (size_t i = 0; i < MOST; i++) {
        uint64_t bytes = 17000 + (uint64_t)(rand() % 100000);
        blocks[i] = (tarn_plan_block){bytes, i, i + 1 + (uint64_t)(rand() % 20), 0, 0};
    }
}

// A machine that is busy makes the same plan as one that is idle.
static void plan_depends_on_no_clock(void **state) {
    (void)state;
    tarn_plan_block blocks[MOST];
    char first[sizeof plan];
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    make_hard(blocks);
    desc.blocks = blocks;
    desc.count = MOST;
    for (int hours = 0; hours < 3; hours++) {
        clock_jump_s = 3600 * hours;
        assert_int_equal(tn_plan_make(&desc, plan, sizeof plan, &plan_bytes), TARN_OK);
        if (hours == 0) memcpy(first, plan, plan_bytes);
        assert_memory_equal(plan, first, plan_bytes);
    }
    clock_jump_s = 0;
}

static void limits_end_the_search(void **state) {
    (void)state;
    tarn_plan_block blocks[MOST];
    unsigned calls = 0, fewer = 0, none = 0;
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    make_hard(blocks);
    desc.blocks = blocks;
    desc.count = MOST;
    desc.progress = count_calls;
    desc.arg = &calls;
    desc.limit_steps = 1 << 20;
    assert_int_equal(tn_plan_make(&desc, plan, sizeof plan, &plan_bytes), TARN_OK);
    desc.arg = &fewer;
    desc.limit_steps = 1 << 16;
    assert_int_equal(tn_plan_make(&desc, plan, sizeof plan, &plan_bytes), TARN_OK);
    assert_true(0 < fewer && fewer < calls);
    desc.arg = &none;
    desc.limit_ns = 1;
    clock_jump_s = 1;
    assert_int_equal(tn_plan_make(&desc, plan, sizeof plan, &plan_bytes), TARN_OK);
    clock_jump_s = 0;
    assert_int_equal(none, 0); // one placement was made
    assert_true(info().height > info().bound);
}

static void progress_ends_the_search(void **state) {
    (void)state;
    tarn_plan_block blocks[MOST];
    unsigned calls = 0;
    make_hard(blocks);
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    desc.blocks = blocks;
    desc.count = MOST;
    desc.progress = stop;
    desc.arg = &calls;
    assert_int_equal(tn_plan_make(&desc, plan, sizeof plan, &plan_bytes), TARN_OK);
    assert_int_equal(calls, 1);
    assert_true(info().height > info().bound);
}

static void wrong_requests_are_refused(void **state) {
    (void)state;
    static const struct {
        tarn_plan_block blocks[2];
        uint64_t period;
    } wrong[] = {{{{0, 0, 1, 0, 0}, {1, 0, 1, 0, 0}}, 0},               // no bytes
                 {{{1, 0, 0, 0, 0}, {1, 0, 1, 0, 0}}, 0},               // no moment
                 {{{1, 2, 3, 0, 0}, {1, 1, 9, 0, 0}}, 0},               // out of order
                 {{{1, 2, 3, 0, 0}, {1, 9, 10, 0, 0}}, 9},              // behind the pass
                 {{{1, 2, 3, 0, TARN_POOL_TAGS}, {1, 9, 10, 0, 0}}, 0}, // an unknown tag
                 {{{1, 2, 3, 16384, 0}, {1, 9, 10, 0, 0}}, 0},          // too many streams
                 {{{UINT64_C(1) << 61, 2, 3, 0, 0}, {UINT64_C(3) << 61, 9, 10, 0, 0}}, 0}};
    plan_bytes = 7;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(make(wrong[i].blocks, 2, wrong[i].period), TARN_BAD_ARGUMENT);
    assert_int_equal(plan_bytes, 7);
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    assert_int_equal(tn_plan_make(&desc, plan, 63, &plan_bytes), TARN_BAD_ARGUMENT);
    assert_int_equal(tn_plan_make(&desc, plan, 64, &plan_bytes), TARN_OK);
    assert_int_equal(plan_bytes, 64);
    desc.rule.start = 3;
    assert_int_equal(tn_plan_make(&desc, plan, 64, &plan_bytes), TARN_BAD_ARGUMENT);
}

// Each byte of a plan matters, and none of its beginnings is a plan.
static void changed_plans_are_refused(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{MIB, 0, 1, 0, 0}, {MIB, 1, 2, 1, 0}};
    tn_plan_head head;
    assert_int_equal(make(blocks, 2, 0), TARN_OK);
    for (size_t i = 0; i < plan_bytes; i++) {
        plan[i] ^= 0x10;
        tarn_status status = tn_plan_check(plan, plan_bytes, &head);
        assert_true(status == TARN_CORRUPT || status == TARN_UNSUPPORTED);
        plan[i] ^= 0x10;
        assert_int_equal(tn_plan_check(plan, i, &head), TARN_CORRUPT);
    }
    assert_int_equal(tn_plan_check(plan, plan_bytes, &head), TARN_OK);
}

// A plan whose checksum is right is checked too: a pool relies on its offsets.
static void places_outside_of_the_plan_are_refused(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{MIB, 0, 1, 0, 0}};
    static const tn_plan_request wrong[] = {
        {MIB, 256, 0, 0}, {MIB + 1, 0, 0, 0}, {MIB - 512, 1, 0, 0}, {MIB, 0, 64, 0},
        {MIB, 0, 0, 1},   {100, 0, 0, 0},     {0, 0, 0, 0},         {MIB, UINT64_MAX - 255, 0, 0}};
    tn_plan_head head;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(make(blocks, 1, 0), TARN_OK);
        memcpy(plan + plan_bytes - sizeof *wrong, &wrong[i], sizeof *wrong);
        tn_plan_seal(plan, plan_bytes);
        assert_int_equal(tn_plan_check(plan, plan_bytes, &head), TARN_CORRUPT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_that_do_not_meet_share_a_place),
        cmocka_unit_test(streams_share_no_memory),
        cmocka_unit_test(slabs_hold_the_small_blocks_that_live_at_one_moment),
        cmocka_unit_test(small_blocks_share_slabs_of_at_most_twice_their_size),
        cmocka_unit_test(only_one_of_streams_that_take_turns_has_places),
        cmocka_unit_test(blocks_of_the_next_pass_count),
        cmocka_unit_test(pass_is_cut_where_few_bytes_live),
        cmocka_unit_test(plan_depends_on_no_clock),
        cmocka_unit_test(limits_end_the_search),
        cmocka_unit_test(progress_ends_the_search),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(changed_plans_are_refused),
        cmocka_unit_test(places_outside_of_the_plan_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
