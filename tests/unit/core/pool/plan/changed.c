// SPDX-License-Identifier: Apache-2.0
// Claims about pools whose program departs from its plan: in each pass of a real recording, so many of a
// hundred requests are changed at random. A bitmap shows whether two live blocks overlap. Prints a table
// of what the pools hold. The pool may hold what a balanced pool holds, the bytes of the requests
// that changed, and the sixth by which it may exceed its plan. With arguments, it replays these
// recordings instead.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

#include "core/pool/plan/plan.h"
#include "support/pool_verbs.h"
#include "trace/trace.h"

enum { PASSES = 5, GRAIN = 256, PAGE = 2 << 20, YIELD_PART = 6 };

struct op {
    bool frees;
    uint32_t block;
};

// A block of the present pass, and one that was added beside it.
struct live {
    tarn_addr addr;
    tarn_addr added;
    uint64_t bytes;
    uint64_t added_bytes;
    bool changed;
};

static tarn_plan_block *blocks; // of the recording, in the order of their requests
static struct op *ops;
static struct live *live;
static size_t block_count, op_count;
static uint64_t seed;

static uint64_t next(uint64_t limit) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % limit;
}

static void read_recording(const char *path) {
    struct tn_trace trace;
    assert_int_equal(tn_trace_read(path, NULL, &trace), TARN_OK);
    uint32_t *numbers = (uint32_t *)calloc(trace.block_count + 1, sizeof *numbers);
    blocks = (tarn_plan_block *)calloc(trace.block_count + 1, sizeof *blocks);
    ops = (struct op *)calloc(2 * trace.block_count + 1, sizeof *ops);
    live = (struct live *)calloc(trace.block_count + 1, sizeof *live);
    block_count = op_count = 0;
    for (size_t i = 0; i < trace.event_count; i++) {
        const struct tn_event *event = &trace.events[i];
        bool frees = event->kind == TN_EVENT_FREE;
        if (event->kind != TN_EVENT_ALLOC && (!frees || numbers[event->item] == 0)) continue;
        if (!frees) {
            blocks[block_count] =
                (tarn_plan_block){trace.blocks[event->item].size, op_count, UINT64_MAX, 0, 0};
            numbers[event->item] = (uint32_t)++block_count;
        }
        uint32_t block = numbers[event->item] - 1;
        if (frees) blocks[block].end = op_count;
        ops[op_count++] = (struct op){frees, block};
    }
    free(numbers);
    tn_trace_release(&trace);
}

// ---- a pool, and what its blocks occupy

struct run {
    tarn_pool *pool;
    uint64_t *bits;
    tarn_addr base;
    uint64_t live, peak_live;
    double places; // that large requests got, of a hundred
    uint64_t changed,
        peak_changed; // bytes of live blocks whose request is not that of the recording
};

static void check_bits(struct run *run, tarn_addr addr, uint64_t bytes, bool taken) {
    uint64_t from = (addr - run->base) / GRAIN, to = (addr - run->base + bytes - 1) / GRAIN + 1;
    while (from < to) {
        uint64_t count = 64 - from % 64 < to - from ? 64 - from % 64 : to - from;
        uint64_t mask = (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << from % 64;
        assert_true((run->bits[from / 64] & mask) == (taken ? mask : 0));
        run->bits[from / 64] ^= mask;
        from += count;
    }
}

static tarn_addr request(struct run *run, uint64_t bytes, bool changed) {
    tarn_addr addr = get(run->pool, bytes);
    check_bits(run, addr, bytes, false);
    run->live += bytes;
    run->changed += changed ? bytes : 0;
    run->peak_live = run->live > run->peak_live ? run->live : run->peak_live;
    run->peak_changed = run->changed > run->peak_changed ? run->changed : run->peak_changed;
    return addr;
}

static void release(struct run *run, tarn_addr *addr, uint64_t bytes, bool changed) {
    if (*addr == 0) return;
    check_bits(run, *addr, bytes, true);
    give(run->pool, *addr);
    run->live -= bytes;
    run->changed -= changed ? bytes : 0;
    *addr = 0;
}

static void release_both(struct run *run, struct live *l) {
    release(run, &l->addr, l->bytes, l->changed);
    release(run, &l->added, l->added_bytes, true);
}

// Makes the request of a block; how is 1: with another length, 2: not at all, 3: with a new one.
static void make_request(struct run *run, uint32_t block, unsigned how) {
    struct live *l = &live[block];
    l->bytes = blocks[block].bytes;
    l->changed = how == 1;
    if (how == 1) l->bytes = l->bytes / 2 + next(l->bytes) + 1;
    if (how != 2) l->addr = request(run, l->bytes, l->changed);
    if (how != 3) return;
    l->added_bytes = blocks[next(block_count)].bytes;
    l->added = request(run, l->added_bytes, true);
}

// Of a hundred requests, so many are changed. A quarter of these come behind the next one.
static void run_pass(struct run *run, unsigned changed) {
    uint32_t late = UINT32_MAX;
    for (size_t i = 0; i < op_count; i++) {
        uint32_t block = ops[i].block;
        if (late != UINT32_MAX && (!ops[i].frees || block == late)) {
            uint32_t other = late;
            late = UINT32_MAX;
            if (!ops[i].frees) make_request(run, block, 0);
            make_request(run, other, 0);
            if (!ops[i].frees) continue;
        }
        unsigned how = ops[i].frees || next(100) >= changed ? 0 : 1 + (unsigned)next(4);
        if (ops[i].frees)
            release_both(run, &live[block]);
        else if (how == 4)
            late = block;
        else
            make_request(run, block, how);
    }
    for (size_t i = 0; i < block_count; i++) release_both(run, &live[i]);
}

// Runs passes with the same changes on any pool. Returns the most that it holds from the second on.
static uint64_t run_passes(struct run *run, tarn_device *device, const tarn_plan *plan,
                           unsigned changed) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool_info info = TARN_INIT(tarn_pool_info);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.plan = plan;
    *run = (struct run){0};
    assert_int_equal(tarn_pool_create(&desc, &run->pool), TARN_OK);
    assert_int_equal(tarn_pool_query(run->pool, &info), TARN_OK);
    run->base = info.base;
    run->bits = (uint64_t *)calloc(info.bytes / GRAIN / 64 + 1, sizeof *run->bits);
    seed = changed;
    for (int pass = 0; pass < PASSES; pass++) {
        assert_int_equal(tarn_pool_mark(run->pool), TARN_OK);
        run_pass(run, changed);
        assert_int_equal(tarn_pool_verify(run->pool), TARN_OK);
        if (pass == 0) assert_int_equal(tarn_pool_reset_peaks(run->pool, TARN_PEAK_HELD), TARN_OK);
    }
    tarn_pool_stats stats = stats_of(run->pool);
    uint64_t large = stats.planned + stats.unplanned + stats.late;
    run->places = large != 0 ? 100.0 * (double)stats.planned / (double)large : 0;
    end(run->pool);
    free(run->bits);
    return stats.peak_held_bytes;
}

static void run_recording(const char *path) {
    static const unsigned changes[] = {0, 1, 5, 20};
    tarn_device *device = NULL;
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    struct run balanced, planned;
    tarn_plan *plan = NULL;
    read_recording(path);
    desc.blocks = blocks;
    desc.count = block_count;
    assert_int_equal(tarn_plan_create(&desc, &plan), TARN_OK);
    assert_int_equal(tarn_device_open("sim:0,memory=32G", &device), TARN_OK);
    for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint64_t least = run_passes(&balanced, device, NULL, changes[i]);
        uint64_t held = run_passes(&planned, device, plan, changes[i]);
        double all = (double)planned.peak_live;
        printf("| %s | %u %% | %.3f | %.3f | %.3f | %.1f %% |\n", strrchr(path, '/') + 1,
               changes[i], (double)least / all, (double)held / all,
               (double)planned.peak_changed / all, planned.places);
        assert_true(balanced.peak_live == planned.peak_live);
        assert_true(held <= least + planned.peak_changed + planned.peak_live / YIELD_PART);
        // No fewer pages hold what lives, or 1.005 times that.
        if (changes[i] == 0)
            assert_true(held < planned.peak_live + PAGE || (double)held <= 1.005 * all);
    }
    assert_int_equal(tarn_device_close(device), TARN_OK);
    tarn_plan_destroy(plan);
    free(blocks);
    free(ops);
    free(live);
}

static int recording_count;
static char **recordings;

static void changed_passes_hold_no_more_than_a_balanced_pool_and_the_changes(void **state) {
    static char *bundled[] = {TRACES "/cnn-train.trace.gz", TRACES "/gpt-train.trace.gz",
                              TRACES "/lora-ckpt.trace.gz", TRACES "/serve.trace.gz"};
    (void)state;
    for (int i = 0; i < recording_count; i++) run_recording(recordings[i]);
    for (int i = 0; recording_count == 0 && i < 4; i++) run_recording(bundled[i]);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_passes_hold_no_more_than_a_balanced_pool_and_the_changes),
    };
    recording_count = argc - 1;
    recordings = argv + 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
