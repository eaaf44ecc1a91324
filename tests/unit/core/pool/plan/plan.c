// SPDX-License-Identifier: Apache-2.0
// Claims about pools with a plan: where planned blocks lie, what happens to requests that the plan
// does not expect, and that live blocks never overlap.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <unistd.h>

#include "support/clock.h"
#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { PASS = 300, LIVE = 2 * PASS };

#define PAGE (2 * MIB)

struct event {
    bool frees;
    uint32_t block;
};

// A pass at random: blocks, and requests and frees in their order.
static tarn_plan_block pass[PASS];
static struct event events[2 * PASS];
static tarn_plan *plan;
static uint64_t seed;

static uint64_t next(uint64_t limit) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % limit;
}

static void make_plan(const tarn_plan_block *blocks, size_t count) {
    tarn_plan_desc desc = TARN_INIT(tarn_plan_desc);
    desc.blocks = blocks;
    desc.count = count;
    desc.limit_steps = 1 << 16;
    tarn_plan_destroy(plan);
    plan = NULL;
    assert_int_equal(tarn_plan_create(&desc, &plan), TARN_OK);
}

static void make_pass(uint64_t random) {
    uint32_t live[PASS], live_count = 0, made = 0;
    seed = random;
    for (uint32_t i = 0; i < 2 * PASS; i++) {
        if (made < PASS && (live_count == 0 || (live_count < 40 && next(2) == 0))) {
            uint64_t bytes = next(4) == 0 ? 1 + next(20000) : 20000 + 5000 * next(100);
            pass[made] = (tarn_plan_block){bytes, i, UINT64_MAX, 0, (uint32_t)next(2)};
            events[i] = (struct event){false, made};
            live[live_count++] = made++;
        } else {
            uint32_t k = (uint32_t)next(live_count);
            events[i] = (struct event){true, live[k]};
            pass[live[k]].end = i;
            live[k] = live[--live_count];
        }
    }
    make_plan(pass, PASS);
}

// Pools of each kind: over a fixed range, over segments, and expandable.
enum { KINDS = 3 };

static tarn_pool *pool_of(int kind, uint64_t capacity, const tarn_plan *given, bool learns) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    struct fake *fake = kind != 0 ? fake_new(kind == 2 ? PAGE : 0, capacity) : NULL;
    desc.kind = kind == 0 ? TARN_POOL_FIXED : kind == 1 ? TARN_POOL_SEGMENTS : TARN_POOL_EXPANDABLE;
    desc.base = FAKE_BASE + 256;
    desc.bytes = kind == 0 ? capacity : 0;
    desc.segment_bytes = PAGE;
    desc.plan = given;
    desc.flags = learns ? TARN_POOL_LEARN : 0;
    assert_int_equal(tn_pool_create_over(&desc, kind != 0 ? &fake->source : NULL, NULL, &pool),
                     TARN_OK);
    return pool;
}

static tarn_status ask(tarn_pool *pool, uint64_t bytes, tarn_stream stream, uint32_t tag,
                       tarn_addr *addr) {
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    request.bytes = bytes;
    request.stream = stream;
    request.tag = tag;
    return tarn_pool_alloc_with(pool, &request, addr);
}

// ---- live blocks, to find overlaps

static struct {
    tarn_addr addr;
    uint64_t bytes;
} live_blocks[LIVE];
static uint32_t live_count;

static void enter_live(tarn_addr addr, uint64_t bytes) {
    for (uint32_t i = 0; i < live_count; i++)
        assert_true(addr + bytes <= live_blocks[i].addr ||
                    live_blocks[i].addr + live_blocks[i].bytes <= addr);
    assert_true(live_count < LIVE);
    live_blocks[live_count].addr = addr;
    live_blocks[live_count++].bytes = bytes;
}

static void free_live(tarn_pool *pool, uint32_t i) {
    assert_int_equal(tarn_pool_free(pool, live_blocks[i].addr), TARN_OK);
    live_blocks[i] = live_blocks[--live_count];
}

static void free_at(tarn_pool *pool, tarn_addr addr) {
    uint32_t i = 0;
    while (i < live_count && live_blocks[i].addr != addr) i++;
    assert_true(i < live_count);
    free_live(pool, i);
}

// Runs the pass. Of a thousand requests, so many are changed: another length, left out, new, or made
// before the one before it. Of a thousand frees, so many come late.
static void run_changed(tarn_pool *pool, unsigned changed, unsigned late) {
    static tarn_addr addrs[PASS];
    for (uint32_t i = 0; i < 2 * PASS; i++) {
        struct event event = events[i];
        const tarn_plan_block *block = &pass[event.block];
        uint64_t bytes = block->bytes;
        tarn_addr extra;
        bool changes = next(1000) < (event.frees ? late : changed);
        if (event.frees) {
            if (addrs[event.block] != 0 && !changes) free_at(pool, addrs[event.block]);
            addrs[event.block] = 0; // the late ones are freed behind the pass
            continue;
        }
        unsigned how = changes ? (unsigned)next(3) : 3;
        if (how == 0) bytes += 1 + next(100000);
        addrs[event.block] = 0;
        if (how == 1) continue;
        if (how == 2) {
            assert_int_equal(ask(pool, 20000 + 5000 * next(100), 0, 0, &extra), TARN_OK);
            enter_live(extra, 20000);
        }
        if (how == 3 && changed != 0 && next(20) == 0 && i + 1 < 2 * PASS && !events[i + 1].frees) {
            events[i] = events[i + 1]; // for this pass and those behind it
            events[i + 1] = event;
            block = &pass[events[i].block];
            bytes = block->bytes;
            event = events[i];
        }
        assert_int_equal(ask(pool, bytes, 0, block->tag, &addrs[event.block]), TARN_OK);
        enter_live(addrs[event.block], bytes);
    }
}

static void run_pass(tarn_pool *pool) { run_changed(pool, 0, 0); }

static void free_all(tarn_pool *pool) {
    while (live_count != 0) free_live(pool, live_count - 1);
}

// ---- claims

static void each_request_gets_its_place(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        make_pass(3);
        tarn_plan_info info = TARN_INIT(tarn_plan_info);
        assert_int_equal(tarn_plan_query(plan, &info), TARN_OK);
        tarn_pool *pool = pool_of(kind, 640 * MIB, plan, false);
        for (uint64_t round = 1; round <= 3; round++) {
            run_pass(pool);
            assert_int_equal(live_count, 0);
            tarn_pool_stats stats = stats_of(pool);
            assert_int_equal(stats.planned, round * info.blocks);
            assert_int_equal(stats.unplanned + stats.late, 0);
            assert_in_range(stats.plan_bytes, info.height, info.height + 3 * TN_SMALL_MAX);
            assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        }
        assert_int_equal(tarn_pool_trim(pool, 0, 0, NULL), TARN_OK);
        assert_int_equal(stats_of(pool).plan_bytes, 0);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        run_pass(pool);
        assert_int_equal(stats_of(pool).planned, 4 * info.blocks);
        end(pool);
    }
}

static bool add_free(const tarn_block *block, void *arg) {
    if (block->state == TARN_BLOCK_FREE) *(uint64_t *)arg += block->occupied;
    assert_int_equal(block->stream, 0);
    return true;
}

static void walks_show_free_places(void **state) {
    (void)state;
    make_pass(3);
    tarn_pool *pool = pool_of(1, 640 * MIB, plan, false);
    uint64_t free_bytes = 0;
    run_pass(pool);
    assert_int_equal(tarn_pool_walk(pool, add_free, &free_bytes), TARN_OK);
    assert_true(free_bytes > stats_of(pool).plan_bytes / 2);
    end(pool);
}

// The plan has one slab for both, and their pool has no other memory.
static void small_blocks_share_the_slabs_of_a_plan(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{2048, 0, 9, 0, 0}, {3000, 1, 9, 0, 0}, {MIB, 2, 9, 0, 0}};
    make_plan(blocks, 3);
    tarn_pool *pool = pool_of(2, PAGE, plan, false);
    tarn_addr first = get(pool, 2048), second = get(pool, 3000), large = get(pool, MIB);
    assert_true(second == first + 3072 || first == second + 3072);
    assert_int_equal(stats_of(pool).used_bytes, 2 * 3072 + MIB);
    give(pool, first);
    give(pool, second);
    give(pool, large);
    assert_int_equal(stats_of(pool).used_bytes, 0);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    request.bytes = request.alignment = 2048;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &first), TARN_OK);
    assert_int_equal(first % 2048, 0);
    give(pool, first);
    end(pool);
}

static void later_passes_need_no_call_of_the_device(void **state) {
    (void)state;
    make_pass(5);
    tarn_pool *pool = pool_of(2, 640 * MIB, plan, false);
    run_pass(pool);
    uint64_t created = stats_of(pool).created_handles, mapped = stats_of(pool).mapped_handles;
    for (int i = 0; i < 5; i++) run_pass(pool);
    // The small blocks lie in the memory of the plan too.
    assert_int_equal(stats_of(pool).held_bytes,
                     (stats_of(pool).plan_bytes + PAGE - 1) / PAGE * PAGE);
    assert_int_equal(stats_of(pool).created_handles, created);
    assert_int_equal(stats_of(pool).mapped_handles, mapped);
    end(pool);
}

// A balanced pool grows by round numbers otherwise.
static void memory_of_the_places_is_not_rounded(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{801 * MIB, 0, 1, 0, 0}};
    tarn_addr addr;
    make_plan(blocks, 1);
    tarn_pool *pool = pool_of(2, 4096 * MIB, plan, false);
    assert_int_equal(ask(pool, 801 * MIB, 0, 0, &addr), TARN_OK);
    assert_int_equal(stats_of(pool).held_bytes, 802 * MIB);
    give(pool, addr);
    end(pool);
}

static void changed_passes_never_overlap(void **state) {
    (void)state;
    static const unsigned changes[] = {10, 50, 200, 1000};
    for (int kind = 0; kind < KINDS; kind++) {
        for (unsigned c = 0; c < 4; c++) {
            make_pass(11 + c);
            tarn_pool *pool = pool_of(kind, 640 * MIB, plan, false);
            for (int round = 0; round < 8; round++) {
                run_changed(pool, changes[c], changes[c]);
                assert_int_equal(tarn_pool_verify(pool), TARN_OK);
                if (round % 3 == 2) assert_int_equal(tarn_pool_mark(pool), TARN_OK);
                while (live_count > PASS / 2) free_live(pool, (uint32_t)next(live_count));
                if (round % 2 == 1) free_all(pool);
            }
            free_all(pool);
            assert_int_equal(tarn_pool_verify(pool), TARN_OK);
            end(pool);
        }
    }
}

// A request that has changed costs its own place and few others.
static void other_requests_keep_their_places(void **state) {
    (void)state;
    static const unsigned changes[] = {10, 50, 200}, least[] = {95, 80, 50};
    for (unsigned c = 0; c < 3; c++) {
        make_pass(41);
        tarn_pool *pool = pool_of(0, 640 * MIB, plan, false);
        for (int round = 0; round < 20; round++) {
            run_changed(pool, changes[c], 0);
            free_all(pool);
        }
        tarn_pool_stats stats = stats_of(pool);
        uint64_t all = stats.planned + stats.unplanned + stats.late;
        assert_true(100 * stats.planned >= least[c] * all);
        end(pool);
    }
}

static void late_frees_make_no_place_free(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{MIB, 0, 1, 0, 0}, {2 * MIB, 2, 3, 0, 0}};
    tarn_addr first, second, third;
    make_plan(blocks, 2);
    tarn_pool *pool = pool_of(0, 64 * MIB, plan, false);
    assert_int_equal(ask(pool, MIB, 0, 0, &first), TARN_OK);
    assert_int_equal(ask(pool, 2 * MIB, 0, 0, &second), TARN_OK);
    assert_int_equal(stats_of(pool).planned, 1);
    assert_int_equal(stats_of(pool).late, 1);
    assert_true(second >= first + MIB || second + 2 * MIB <= first);
    give(pool, first);
    assert_int_equal(ask(pool, MIB, 0, 0, &third), TARN_OK); // the next pass
    assert_true(third == first);
    give(pool, second);
    give(pool, third);
    end(pool);
}

static void tags_and_streams_are_recognised(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {
        {MIB, 0, 9, 0, 1}, {MIB, 1, 9, 0, 2}, {MIB, 2, 9, 1, 1}, {MIB, 3, 9, 1, 1}};
    tarn_addr addr[4];
    make_plan(blocks, 4);
    tarn_pool *pool = pool_of(0, 64 * MIB, plan, false);
    assert_int_equal(ask(pool, MIB, 7, 2, &addr[0]), TARN_OK); // the second comes first
    assert_int_equal(ask(pool, MIB, 7, 1, &addr[1]), TARN_OK);
    assert_int_equal(ask(pool, MIB, 8, 1, &addr[2]), TARN_OK);
    assert_int_equal(ask(pool, MIB, 8, 3, &addr[3]), TARN_OK); // no such tag
    assert_int_equal(stats_of(pool).planned, 3);
    assert_int_equal(stats_of(pool).unplanned, 1);
    for (int i = 0; i < 4; i++) give(pool, addr[i]);
    assert_int_equal(tarn_pool_verify(pool), TARN_OK);
    end(pool);
}

// An arena that is idle is no reason for a refusal, and one in use lends its gaps.
static void arena_yields_before_a_refusal(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{20 * MIB, 0, 1, 0, 0}, {MIB, 2, 9, 0, 0}};
    tarn_addr first, second;
    for (int kind = 0; kind < KINDS; kind++) {
        make_plan(blocks, 2);
        tarn_pool *pool = pool_of(kind, 32 * MIB, plan, false);
        assert_int_equal(ask(pool, 20 * MIB, 0, 0, &first), TARN_OK);
        assert_int_equal(stats_of(pool).planned, 1);
        give(pool, first);
        assert_int_equal(ask(pool, MIB, 0, 0, &first), TARN_OK);
        assert_int_equal(stats_of(pool).planned, 2);
        assert_int_equal(ask(pool, 18 * MIB, 0, 0, &second), TARN_OK); // beside the live place
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        give(pool, second);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        give(pool, first);
        assert_int_equal(ask(pool, 28 * MIB, 0, 0, &second), TARN_OK);
        assert_int_equal(stats_of(pool).plan_bytes, 0);
        assert_int_equal(stats_of(pool).refusals, 0);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        give(pool, second);
        end(pool);
    }
}

// Every second place is live, so that no gap has room for the request, and free pages cannot move. The
// next pass takes the places again, if the pool need not grow for them.
static void arena_yields_before_the_pool_grows_far(void **state) {
    (void)state;
    enum { COUNT = 8 };
    tarn_plan_block blocks[COUNT];
    tarn_addr addrs[COUNT];
    for (uint64_t i = 0; i < COUNT; i++)
        blocks[i] = (tarn_plan_block){64 * MIB, i, COUNT + i, 0, 0};
    make_plan(blocks, COUNT);
    tarn_pool *pool = pool_of(2, 4096 * MIB, plan, false);
    for (int pass_number = 0; pass_number < 3; pass_number++) {
        assert_int_equal(tarn_pool_mark(pool), TARN_OK);
        for (int i = 0; i < COUNT; i++) addrs[i] = get(pool, 64 * MIB);
        for (int i = 0; i < COUNT; i += 2) give(pool, addrs[i]);
        tarn_addr large = get(pool, 160 * MIB);
        for (int i = 1; i < COUNT; i += 2)
            assert_true(addrs[i] + 64 * MIB <= large || large + 160 * MIB <= addrs[i]);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        give(pool, large);
        for (int i = 1; i < COUNT; i += 2) give(pool, addrs[i]);
    }
    tarn_pool_stats stats = stats_of(pool);
    assert_true(stats.peak_held_bytes <= (COUNT + 1) * 64 * MIB);
    assert_true(stats.planned >= COUNT);
    assert_int_equal(stats.planned + stats.unplanned + stats.late, 3 * (COUNT + 1));
    end(pool);
}

static void missing_memory_for_the_arena_is_no_refusal(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{20 * MIB, 0, 9, 0, 0}, {MIB, 1, 9, 0, 0}};
    tarn_addr addr;
    for (int kind = 0; kind < KINDS; kind++) {
        make_plan(blocks, 2);
        tarn_pool *pool = pool_of(kind, 16 * MIB, plan, false);
        assert_int_equal(ask(pool, MIB, 0, 0, &addr), TARN_OK);
        assert_int_equal(stats_of(pool).planned, 0);
        assert_int_equal(stats_of(pool).refusals, 0);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        give(pool, addr);
        end(pool);
    }
}

static void reset_frees_the_places(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        make_pass(9);
        tarn_pool *pool = pool_of(kind, 640 * MIB, plan, false);
        run_changed(pool, 100, 100);
        live_count = 0;
        assert_int_equal(tarn_pool_reset(pool), TARN_OK);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        assert_int_equal(stats_of(pool).live_blocks, 0);
        run_pass(pool);
        free_all(pool);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        end(pool);
    }
}

// Each call of the device fails in turn, while a pool follows a plan, learns one, and learns another.
static void calls_of_the_source_fail_in_turn(void **state) {
    (void)state;
    make_pass(21);
    for (int kind = 1; kind < KINDS; kind++) {
        for (int learns = 0; learns < 2; learns++) {
            bool failed = true;
            for (uint64_t call = 1; failed; call++) {
                tarn_pool *pool = pool_of(kind, 640 * MIB, learns != 0 ? NULL : plan, learns != 0);
                struct fake *fake = (struct fake *)pool->growth.source;
                fake->fail_at = call;
                for (uint64_t round = 0; learns && round < 16; round++) {
                    assert_int_equal(tarn_pool_mark(pool), TARN_OK);
                    tarn_addr first = get(pool, (3 + round / 8) * MIB), second = get(pool, 5 * MIB);
                    give(pool, first);
                    give(pool, get(pool, (7 + round / 8) * MIB));
                    give(pool, second);
                }
                if (!learns) run_pass(pool);
                failed = fake->calls >= call;
                if (learns) assert_int_equal(stats_of(pool).plans, 2);
                assert_int_equal(tarn_pool_verify(pool), TARN_OK);
                free_all(pool);
                end(pool);
            }
        }
    }
}

static void pool_learns_a_pass(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        make_pass(31);
        tarn_pool *pool = pool_of(kind, 640 * MIB, NULL, true);
        tarn_addr weights = get(pool, 3 * MIB), gradients = 0;
        for (int round = 0; round < 6; round++) {
            assert_int_equal(tarn_pool_mark(pool), TARN_OK);
            if (round > 0) give(pool, gradients); // of the pass before
            run_pass(pool);
            gradients = get(pool, 5 * MIB);
            assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        }
        tarn_pool_stats stats = stats_of(pool);
        assert_true(stats.planned > 3 * (PASS / 2));
        assert_int_equal(stats.unplanned + stats.late, 0);
        give(pool, gradients);
        give(pool, weights);
        assert_int_equal(tarn_pool_verify(pool), TARN_OK);
        end(pool);
    }
}

// Places are the same on a machine that is busy. Without marks, a request makes the plan.
static void learnt_places_depend_on_no_clock(void **state) {
    (void)state;
    static tarn_addr first[PASS], addrs[PASS];
    for (int marked = 0; marked < 2; marked++) {
        for (int hours = 0; hours < 2; hours++) {
            make_pass(31);
            clock_jump_s = 3600 * hours;
            tarn_pool *pool = pool_of(0, 640 * MIB, NULL, true);
            for (int round = 0; round < 6; round++) {
                if (marked != 0) assert_int_equal(tarn_pool_mark(pool), TARN_OK);
                for (uint32_t i = 0; i < 2 * PASS; i++) {
                    uint32_t block = events[i].block;
                    if (events[i].frees)
                        give(pool, addrs[block]);
                    else
                        addrs[block] = get(pool, pass[block].bytes);
                }
            }
            assert_int_equal(stats_of(pool).plans, 1);
            if (hours == 0) memcpy(first, addrs, sizeof first);
            assert_memory_equal(addrs, first, sizeof first);
            end(pool);
        }
    }
    clock_jump_s = 0;
}

// The plan of a program that has changed fits no longer. Blocks in its arena stay where they are.
static void pool_learns_again_when_the_program_changes(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        tarn_pool *pool = pool_of(kind, 640 * MIB, NULL, true);
        tarn_addr kept = 0;
        for (uint64_t program = 1; program <= 3; program++) {
            make_pass(31 * program);
            uint64_t planned = 0;
            for (int round = 0; round < 40; round++) {
                assert_int_equal(tarn_pool_mark(pool), TARN_OK);
                run_pass(pool);
                assert_int_equal(tarn_pool_verify(pool), TARN_OK);
                if (round == 30) planned = stats_of(pool).planned;
                if (program == 1 && round == 20) { // lies in a place, or a gap
                    kept = get(pool, pass[PASS - 1].bytes);
                    enter_live(kept, pass[PASS - 1].bytes);
                }
            }
            assert_int_equal(stats_of(pool).plans, program);
            assert_true(stats_of(pool).planned > planned + 8 * (PASS / 2));
        }
        tarn_pool_stats stats = stats_of(pool);
        assert_int_equal(stats.passes, 3 * 40 - 1);
        assert_true(stats.planned_passes > 3 * 25);
        assert_true(stats.planned_bytes > stats.unplanned_bytes + stats.late_bytes);
        free_at(pool, kept);
        end(pool);
    }
}

static void pool_without_marks_finds_the_period(void **state) {
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        tarn_pool *pool = pool_of(kind, 640 * MIB, NULL, true);
        for (uint64_t program = 1; program <= 2; program++) {
            make_pass(11 * program);
            for (int round = 0; round < 40; round++) {
                run_pass(pool);
                assert_int_equal(tarn_pool_verify(pool), TARN_OK);
            }
            tarn_pool_stats before = stats_of(pool);
            run_pass(pool);
            tarn_pool_stats after = stats_of(pool);
            assert_int_equal(after.plans, program);
            assert_int_equal(after.unplanned + after.late, before.unplanned + before.late);
            assert_true(after.planned > before.planned + PASS / 2);
        }
        end(pool);
    }
}

static void period_is_found_behind_a_long_beginning(void **state) {
    (void)state;
    tarn_pool *pool = pool_of(1, 640 * MIB, NULL, true);
    for (uint64_t i = 0; i < 40000; i++) give(pool, get(pool, 20000 + 512 * next(2000)));
    make_pass(33);
    for (int round = 0; round < 60; round++) run_pass(pool);
    assert_int_equal(stats_of(pool).plans, 1);
    end(pool);
}

// A program that never repeats itself gets no plan, with marks or without, and the statistics show it.
static void passes_at_random_are_not_planned(void **state) {
    (void)state;
    for (int marks = 0; marks < 2; marks++) {
        tarn_pool *pool = pool_of(1, 640 * MIB, NULL, true);
        for (uint64_t round = 0; round < 60; round++) {
            make_pass(1000 + round);
            for (int i = 0; i < PASS; i++) pass[i].bytes += 4 * next(100000);
            if (marks) assert_int_equal(tarn_pool_mark(pool), TARN_OK);
            run_pass(pool);
        }
        tarn_pool_stats stats = stats_of(pool);
        assert_int_equal(stats.plans + stats.planned + stats.planned_passes, 0);
        assert_int_equal(stats.passes, marks ? 59 : 0);
        end(pool);
    }
}

// The lanes of a learnt plan belong to the streams of the pass. Another stream gets none of them: its
// requests are not ordered with theirs.
static void streams_outside_of_a_learnt_pass_have_no_places(void **state) {
    (void)state;
    for (uint64_t streams = 1; streams <= 3; streams++) {
        tarn_pool *pool = pool_of(0, 640 * MIB, NULL, true);
        tarn_addr kept[4], again;
        for (int round = 0; round < 6; round++) {
            assert_int_equal(tarn_pool_mark(pool), TARN_OK);
            for (uint64_t s = 1; s <= streams; s++)
                assert_int_equal(ask(pool, s * MIB, s, 0, &kept[s]), TARN_OK);
            for (uint64_t s = 1; s <= streams; s++) give(pool, kept[s]);
        }
        assert_int_equal(stats_of(pool).plans, 1);
        uint64_t planned = stats_of(pool).planned;
        assert_int_equal(tarn_pool_mark(pool), TARN_OK);
        for (uint64_t s = 1; s <= streams; s++) {
            assert_int_equal(ask(pool, s * MIB, 100 + s, 0, &again), TARN_OK);
            give(pool, again);
        }
        assert_int_equal(stats_of(pool).planned, planned);
        for (uint64_t s = 1; s <= streams; s++) { // theirs are still known
            assert_int_equal(ask(pool, s * MIB, s, 0, &again), TARN_OK);
            assert_true(again == kept[s]);
            give(pool, again);
        }
        assert_int_equal(stats_of(pool).planned, planned + streams);
        end(pool);
    }
}

static void requests_without_a_place_are_explained(void **state) {
    (void)state;
    const tarn_plan_block blocks[] = {{MIB, 0, 1, 0, 1}, {2 * MIB, 2, 3, 0, 2}};
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    tarn_addr first, second, third[12];
    make_plan(blocks, 2);
    tarn_pool *pool = pool_of(0, 64 * MIB, plan, false);
    assert_int_equal(ask(pool, MIB, 7, 1, &first), TARN_OK);
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_NOT_READY);
    assert_int_equal(ask(pool, 2 * MIB, 7, 2, &second), TARN_OK); // its place is taken
    for (uint64_t i = 0; i < 12; i++) // more kinds than the report names
        assert_int_equal(ask(pool, i < 3 ? 3 * MIB : i * 20000, 7, 1, &third[i]), TARN_OK);
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_OK);
    assert_int_equal(report.cause, TARN_POOL_CAUSE_PLAN);
    assert_int_equal(report.status, TARN_OK);
    assert_string_equal(report.cause_name, "plan");
    assert_string_equal(
        report.text, "plan: 13 of 14 large requests, 12794336 of 13842912 bytes, got no place: the "
                     "plan does not have 12, and the places of 1 were taken; most: 3 of 3145728 "
                     "bytes with tag 1, which it does not have");
    const tarn_plan_miss *misses = report.misses;
    assert_true(misses[0].bytes == 3 * MIB && misses[0].requests == 3 && misses[0].stream == 7);
    assert_true(misses[1].bytes == 2 * MIB && misses[1].requests == 1 && misses[1].late == 1);
    assert_int_equal(misses[1].tag, 2);
    for (int i = 2; i < TARN_POOL_SHARES; i++) assert_true(misses[i].bytes < misses[i - 1].bytes);
    refused(pool, 100 * MIB); // the report about a refusal has them too
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_OK);
    assert_int_equal(report.cause, TARN_POOL_CAUSE_FULL);
    assert_int_equal(report.misses[0].bytes, 100 * MIB);
    assert_int_equal(report.misses[1].requests, 3);
    for (int i = 0; i < 12; i++) give(pool, third[i]);
    give(pool, first);
    give(pool, second);
    end(pool);
}

// ---- threads, over real memory, so that an overlap is a wrong word, and a race for ThreadSanitizer

enum { THREADS = 4, STEPS = 4000, HELD = 12 };

struct worker {
    pthread_t thread;
    tarn_pool *pool;
    uint64_t random;
    tarn_stream stream;
};

static void *run_worker(void *arg) {
    struct worker *w = (struct worker *)arg;
    uint64_t *held[HELD] = {NULL}, bytes[HELD] = {0};
    for (uint64_t i = 0; i < STEPS + HELD; i++) {
        w->random = w->random * UINT64_C(6364136223846793005) + 1;
        unsigned k = i < STEPS ? (unsigned)(w->random >> 33) % HELD : (unsigned)(i - STEPS);
        if (held[k] != NULL) {
            if (*held[k] != w->stream || held[k][bytes[k] / 8 - 1] != w->stream) abort();
            if (tarn_pool_free(w->pool, (tarn_addr)(uintptr_t)held[k]) != TARN_OK) abort();
            held[k] = NULL;
        } else if (i < STEPS) {
            tarn_addr addr;
            bytes[k] = pass[i % PASS].bytes / 8 * 8 + 8;
            if (tarn_pool_alloc(w->pool, bytes[k], w->stream, &addr) != TARN_OK) abort();
            held[k] = (uint64_t *)(uintptr_t)addr;
            *held[k] = held[k][bytes[k] / 8 - 1] = w->stream;
        }
        if (i % 64 == 0) (void)tarn_pool_passed(w->pool, w->stream);
        if (i % 500 == 0 && w->stream == 1 && tarn_pool_mark(w->pool) != TARN_OK) abort();
        if (i % 900 == 0) (void)tarn_pool_trim(w->pool, 0, TARN_NO_WAIT, NULL);
    }
    return NULL;
}

static void threads_share_a_plan(void **state) {
    (void)state;
    make_pass(51);
    for (size_t i = 0; i < PASS; i++) {
        pass[i].bytes = pass[i].bytes / 8 * 8 + 8;
        pass[i].stream = (uint32_t)i % THREADS;
        pass[i].tag = 0;
    }
    make_plan(pass, PASS);
    void *memory = aligned_alloc(4096, 128 * MIB);
    assert_non_null(memory);
    for (int learns = 0; learns < 2; learns++) {
        struct worker workers[THREADS];
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        tarn_pool *pool = NULL;
        desc.kind = TARN_POOL_FIXED;
        desc.base = (tarn_addr)(uintptr_t)memory;
        desc.bytes = 128 * MIB;
        desc.plan = learns != 0 ? NULL : plan;
        desc.flags = learns != 0 ? TARN_POOL_LEARN : 0;
        assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
        for (int round = 0; learns && round < 4; round++) { // the pool has a plan before they begin
            assert_int_equal(tarn_pool_mark(pool), TARN_OK);
            for (size_t i = 0; i < PASS; i++) give(pool, get_on(pool, pass[i].bytes, 1));
        }
        for (uint64_t i = 0; i < THREADS; i++) {
            workers[i] = (struct worker){.pool = pool, .random = 7 * i, .stream = i + 1};
            assert_int_equal(pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) (void)pthread_join(workers[i].thread, NULL);
        assert_true(stats_of(pool).planned > 0);
        assert_int_equal(stats_of(pool).live_blocks, 0);
        end(pool);
    }
    free(memory);
}

static void wrong_plans_are_refused(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    make_pass(1);
    desc.kind = TARN_POOL_FIXED;
    desc.base = FAKE_BASE;
    desc.bytes = 64 * MIB;
    desc.plan = plan;
    desc.rule = (tarn_rule){512, 512, 0};
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT);
    desc.rule = (tarn_rule){0, 0, 0};
    desc.flags = TARN_POOL_LEARN;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_ARGUMENT);
    assert_null(pool);
}

static void mark_has_no_effect_without_a_plan(void **state) {
    (void)state;
    tarn_pool *pool = pool_of(0, 64 * MIB, NULL, false);
    assert_int_equal(tarn_pool_mark(pool), TARN_OK);
    assert_int_equal(tarn_pool_mark(NULL), TARN_BAD_ARGUMENT);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_request_gets_its_place),
        cmocka_unit_test(walks_show_free_places),
        cmocka_unit_test(small_blocks_share_the_slabs_of_a_plan),
        cmocka_unit_test(later_passes_need_no_call_of_the_device),
        cmocka_unit_test(memory_of_the_places_is_not_rounded),
        cmocka_unit_test(changed_passes_never_overlap),
        cmocka_unit_test(other_requests_keep_their_places),
        cmocka_unit_test(late_frees_make_no_place_free),
        cmocka_unit_test(tags_and_streams_are_recognised),
        cmocka_unit_test(arena_yields_before_a_refusal),
        cmocka_unit_test(arena_yields_before_the_pool_grows_far),
        cmocka_unit_test(missing_memory_for_the_arena_is_no_refusal),
        cmocka_unit_test(reset_frees_the_places),
        cmocka_unit_test(calls_of_the_source_fail_in_turn),
        cmocka_unit_test(pool_learns_a_pass),
        cmocka_unit_test(learnt_places_depend_on_no_clock),
        cmocka_unit_test(pool_learns_again_when_the_program_changes),
        cmocka_unit_test(pool_without_marks_finds_the_period),
        cmocka_unit_test(period_is_found_behind_a_long_beginning),
        cmocka_unit_test(passes_at_random_are_not_planned),
        cmocka_unit_test(streams_outside_of_a_learnt_pass_have_no_places),
        cmocka_unit_test(requests_without_a_place_are_explained),
        cmocka_unit_test(threads_share_a_plan),
        cmocka_unit_test(wrong_plans_are_refused),
        cmocka_unit_test(mark_has_no_effect_without_a_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
