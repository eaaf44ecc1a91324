// SPDX-License-Identifier: Apache-2.0
// Claims about the reports of refusals: the cause, the numbers behind it, and the text of the error.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <tarn/memory.h>

#include "support/pool_verbs.h"
#include "unit/core/pool/fake.h"

enum { A = 11, B = 22, C = 33 };
#define PAGE (2 * MIB)

static tarn_pool_report report_of(tarn_pool *pool) {
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_OK);
    return report;
}

// Allocates what must not fit, and returns the report about it. The error has the report's text.
static tarn_pool_report refusal_on(tarn_pool *pool, uint64_t bytes, tarn_stream stream,
                                   tarn_pool_cause cause) {
    tarn_addr addr = 0;
    tarn_error error;
    uint64_t before = stats_of(pool).refusals;
    tarn_status status = tarn_pool_alloc(pool, bytes, stream, &addr);
    assert_int_not_equal(status, TARN_OK);
    assert_int_equal(tarn_last_error(&error), status);
    tarn_pool_report report = report_of(pool);
    assert_int_equal(report.status, status);
    assert_int_equal(report.cause, cause);
    assert_int_equal(report.refusals, before + 1);
    assert_int_equal(report.requested, bytes);
    assert_int_equal(report.stream, stream);
    assert_non_null(strstr(report.text, error.message));
    assert_ptr_equal(strstr(report.text, report.cause_name), report.text);
    return report;
}

static tarn_pool_report refusal(tarn_pool *pool, uint64_t bytes, tarn_pool_cause cause) {
    return refusal_on(pool, bytes, 0, cause);
}

static uint64_t sum_of_sizes(const tarn_pool_report *report) {
    uint64_t sum = 0;
    for (int i = 0; i < 64; i++) sum += report->free_by_size[i];
    return sum;
}

static struct fake *growing(uint64_t page, uint64_t capacity, uint64_t limit, tarn_pool **pool) {
    struct fake *fake = fake_new(page, capacity);
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    assert_non_null(fake);
    desc.kind = page != 0 ? TARN_POOL_EXPANDABLE : TARN_POOL_SEGMENTS;
    desc.limit = limit;
    assert_int_equal(tn_pool_create_over(&desc, &fake->source, NULL, pool), TARN_OK);
    return fake;
}

// ---- reports

static void there_is_no_report_before_the_first_refusal(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    give(pool, get(pool, 8 * MIB));
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_NOT_READY);
    assert_int_equal(tarn_pool_explain(NULL, &report), TARN_BAD_ARGUMENT);
    refused(pool, 9 * MIB);
    assert_int_equal(tarn_pool_explain(pool, NULL), TARN_BAD_ARGUMENT);
    report.struct_size = 0;
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_BAD_STRUCT);
    end(pool);
}

static void a_report_stays_until_the_next_refusal(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    tarn_addr a = get(pool, 6 * MIB);
    refused(pool, 3 * MIB);
    give(pool, a);
    give(pool, get(pool, 3 * MIB));
    assert_int_equal(report_of(pool).free_bytes, 2 * MIB);
    refused(pool, 9 * MIB);
    assert_int_equal(report_of(pool).free_bytes, 8 * MIB);
    end(pool);
}

// A slab does not fit, the block alone does.
static void a_small_block_that_fits_without_a_slab_is_no_refusal(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    tarn_pool_report report = TARN_INIT(tarn_pool_report);
    tarn_addr a = get(pool, 8 * MIB - 20 * KIB);
    tarn_addr b = get(pool, 100);
    assert_int_equal(tarn_pool_explain(pool, &report), TARN_NOT_READY);
    report = refusal(pool, 100, TARN_POOL_CAUSE_FRAGMENTED);
    assert_int_equal(report.overhead, 256 - 100);
    assert_int_equal(report.piece_bytes, 16 * KIB);
    assert_int_equal(report.free_bytes, 4 * KIB);
    give(pool, a);
    give(pool, b);
    end(pool);
}

static void a_request_beyond_all_memory_is_explained(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    (void)refusal(pool, UINT64_MAX, TARN_POOL_CAUSE_FULL);
    (void)refusal(pool, UINT64_C(1) << 62, TARN_POOL_CAUSE_FULL);
    end(pool);
}

// ---- causes

static void a_full_range_is_full(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr a;
    tarn_addr b = get(pool, MIB);
    request.bytes = 5 * MIB;
    request.tag = 3;
    assert_int_equal(tarn_pool_alloc_with(pool, &request, &a), TARN_OK);
    tarn_pool_report report = refusal(pool, 2 * MIB + 1, TARN_POOL_CAUSE_FULL);
    assert_int_equal(report.overhead, 255);
    assert_int_equal(report.free_bytes, 2 * MIB);
    assert_int_equal(report.largest_free, 2 * MIB);
    assert_int_equal(report.free_by_size[21], 2 * MIB);
    assert_int_equal(report.live_bytes, 6 * MIB);
    assert_int_equal(report.held_bytes, 8 * MIB);
    assert_int_equal(report.tags[0].id, 3);
    assert_int_equal(report.tags[0].bytes, 5 * MIB);
    assert_int_equal(report.tags[1].bytes, MIB);
    assert_int_equal(report.tags[2].bytes, 0);
    give(pool, a);
    give(pool, b);
    end(pool);
}

static void scattered_memory_is_fragmented(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    tarn_addr blocks[8];
    for (int i = 0; i < 8; i++) blocks[i] = get(pool, MIB);
    for (int i = 1; i < 8; i += 2) give(pool, blocks[i]);
    give(pool, blocks[2]);
    tarn_pool_report report = refusal(pool, 4 * MIB, TARN_POOL_CAUSE_FRAGMENTED);
    assert_int_equal(report.free_bytes, 5 * MIB);
    assert_int_equal(report.largest_free, 3 * MIB);
    assert_int_equal(report.free_by_size[20], 2 * MIB);
    assert_int_equal(report.free_by_size[21], 3 * MIB);
    assert_int_equal(report.movable_bytes, 0);
    (void)refusal(pool, 5 * MIB + 1, TARN_POOL_CAUSE_FULL);
    for (int i = 0; i < 8; i += i == 0 ? 4 : 2) give(pool, blocks[i]);
    end(pool);
}

static void free_small_blocks_are_cached_memory(void **state) {
    (void)state;
    enum { COUNT = 2048 };
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    static tarn_addr small[COUNT];
    for (int i = 0; i < COUNT; i++) small[i] = get(pool, 4 * KIB);
    for (int i = 0; i < COUNT; i++)
        if (i % 16 != 0) give(pool, small[i]);
    tarn_pool_report report = refusal(pool, 4 * MIB, TARN_POOL_CAUSE_FRAGMENTED);
    assert_int_equal(report.free_bytes + report.cached_bytes, 8 * MIB - COUNT / 16 * 4 * KIB);
    assert_true(report.cached_bytes > 4 * MIB);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void memory_that_waits_is_held_by_streams(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    tarn_addr shared = get(pool, MIB);
    tarn_addr a = get_on(pool, MIB, A);
    tarn_addr b = get_on(pool, 3 * MIB, B);
    tarn_addr c = get_on(pool, 3 * MIB, C);
    assert_int_equal(tarn_pool_used_on(pool, shared, A), TARN_OK);
    give(pool, shared);
    give(pool, a);
    give(pool, b);
    tarn_pool_report report = refusal_on(pool, 4 * MIB, C, TARN_POOL_CAUSE_STREAMS);
    assert_int_equal(report.free_bytes, 0);
    assert_int_equal(report.waiting_bytes, 5 * MIB);
    assert_int_equal(report.streams[0].id, B);
    assert_int_equal(report.streams[0].bytes, 3 * MIB);
    assert_int_equal(report.streams[1].id, A);
    assert_int_equal(report.streams[1].bytes, 2 * MIB);
    assert_int_equal(report.streams[2].bytes, 0);
    // Memory of the request's own stream is free for it.
    report = refusal_on(pool, 4 * MIB, B, TARN_POOL_CAUSE_STREAMS);
    assert_int_equal(report.free_bytes, 3 * MIB);
    assert_int_equal(report.waiting_bytes, 2 * MIB);
    give(pool, c);
    assert_int_equal(tarn_pool_passed(pool, A), TARN_OK);
    assert_int_equal(tarn_pool_passed(pool, B), TARN_OK);
    end(pool);
}

static void a_limit_is_a_limit(void **state) {
    (void)state;
    for (int pages = 0; pages < 2; pages++) {
        tarn_pool *pool;
        (void)growing(pages ? PAGE : 0, 640 * MIB, 40 * MIB, &pool);
        tarn_addr a = get(pool, 30 * MIB);
        tarn_pool_report report = refusal(pool, 20 * MIB, TARN_POOL_CAUSE_LIMIT);
        assert_int_equal(report.limit, 40 * MIB);
        assert_int_equal(report.held_bytes, stats_of(pool).held_bytes);
        assert_int_equal(tarn_pool_set_limit(pool, 0), TARN_OK);
        tarn_addr b = get(pool, 20 * MIB);
        give(pool, a);
        give(pool, b);
        end(pool);
    }
}

// Half of nearly each page is free. Only complete pages can move.
static void only_complete_pages_count_as_movable(void **state) {
    (void)state;
    tarn_pool *pool;
    (void)growing(PAGE, 32 * PAGE, 0, &pool);
    tarn_addr blocks[64];
    for (int i = 0; i < 64; i++) blocks[i] = get(pool, PAGE / 2);
    for (int i = 1; i < 64; i += 2) give(pool, blocks[i]);
    give(pool, blocks[4]); // one complete page, between two halves
    give(pool, blocks[10]);
    tarn_pool_report report = refusal(pool, 8 * PAGE, TARN_POOL_CAUSE_FRAGMENTED);
    assert_int_equal(report.free_bytes, 17 * PAGE);
    assert_int_equal(report.movable_bytes, 2 * PAGE);
    assert_int_equal(report.held_bytes, 32 * PAGE);
    assert_int_equal(report.space_bytes % PAGE, 0);
    assert_true(report.largest_space != 0 && report.largest_space <= report.space_bytes);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

static void the_end_of_the_reservation_is_told_from_a_full_device(void **state) {
    (void)state;
    tarn_pool *pool;
    (void)growing(PAGE, 2 * FAKE_PAGES * PAGE, 0, &pool);
    tarn_addr a = get(pool, (FAKE_PAGES - 2) * PAGE);
    tarn_pool_report report = refusal(pool, 3 * PAGE, TARN_POOL_CAUSE_SPACE);
    assert_int_equal(report.status, TARN_NO_ADDRESS_SPACE);
    assert_true(report.space_bytes <= 2 * PAGE); // the pool may have rounded up
    give(pool, a);
    end(pool);
}

static void exhausted_records_are_told_from_a_full_device(void **state) {
    (void)state;
    static const struct {
        tarn_status status;
        tarn_pool_cause cause;
    } rows[] = {{TARN_NO_HANDLES, TARN_POOL_CAUSE_RECORDS},
                {TARN_NO_MAPPINGS, TARN_POOL_CAUSE_RECORDS},
                {TARN_NO_HOST_MEMORY, TARN_POOL_CAUSE_RECORDS},
                {TARN_NO_DEVICE_MEMORY, TARN_POOL_CAUSE_FULL},
                {TARN_SYSTEM, TARN_POOL_CAUSE_DEVICE}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tarn_pool *pool;
        struct fake *fake = growing(PAGE, 64 * PAGE, 0, &pool);
        fake->fail_from = 1;
        fake->fail_with = rows[i].status;
        assert_int_equal(refusal(pool, PAGE, rows[i].cause).status, rows[i].status);
        end(pool);
    }
}

static void memory_of_others_on_the_device_is_named(void **state) {
    (void)state;
    for (int kind = TARN_POOL_SEGMENTS; kind <= TARN_POOL_EXPANDABLE; kind++) {
        tarn_device *device;
        tarn_pool *pool;
        tarn_addr others;
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        assert_int_equal(tarn_device_open("sim:0,memory=256M", &device), TARN_OK);
        desc.kind = (tarn_pool_kind)kind;
        desc.device = device;
        assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
        assert_int_equal(tarn_memory_alloc(device, 100 * MIB, &others), TARN_OK);
        tarn_addr a = get(pool, 100 * MIB);
        tarn_pool_report report = refusal(pool, 120 * MIB, TARN_POOL_CAUSE_OTHERS);
        assert_int_equal(report.device_bytes, 256 * MIB);
        assert_int_equal(report.others_bytes, 100 * MIB);
        assert_int_equal(report.device_free, 156 * MIB - report.held_bytes);
        assert_int_equal(report.handles != 0, kind == TARN_POOL_EXPANDABLE);
        (void)refusal(pool, 300 * MIB, TARN_POOL_CAUSE_FULL);
        assert_int_equal(tarn_memory_free(others, 0), TARN_OK);
        give(pool, a);
        end(pool);
        assert_int_equal(tarn_device_close(device), TARN_OK);
    }
}

static void a_fence_explains_its_refusals(void **state) {
    (void)state;
    tarn_device *device;
    tarn_pool *pool;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    assert_int_equal(tarn_device_open("host:0,memory=256M", &device), TARN_OK);
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.flags = TARN_POOL_FENCE;
    desc.limit = 64 * MIB;
    desc.device = device;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_OK);
    tarn_addr a = get(pool, 40 * MIB);
    tarn_pool_report report = refusal(pool, 40 * MIB, TARN_POOL_CAUSE_LIMIT);
    assert_int_equal(report.live_bytes, 40 * MIB);
    assert_int_equal(report.held_bytes, stats_of(pool).held_bytes);
    assert_int_equal(stats_of(pool).refusals, 1);
    give(pool, a);
    end(pool);
    assert_int_equal(tarn_device_close(device), TARN_OK);
}

// ---- beside the walk

static uint64_t next(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *seed >> 33;
}

struct walked {
    uint64_t free, largest, unmapped, live;
};

static bool add_block(const tarn_block *block, void *arg) {
    struct walked *sum = (struct walked *)arg;
    bool free = block->state == TARN_BLOCK_FREE;
    sum->free += free ? block->occupied : 0;
    sum->largest = free && block->occupied > sum->largest ? block->occupied : sum->largest;
    sum->unmapped += block->state == TARN_BLOCK_UNMAPPED ? block->occupied : 0;
    sum->live += block->bytes;
    return true;
}

static void a_report_agrees_with_the_walk(void **state) {
    (void)state;
    enum { BLOCKS = 64, ROUNDS = 3000 };
    uint64_t seed = 1;
    tarn_pool *pool;
    tarn_addr blocks[BLOCKS] = {0};
    uint64_t seen = 0;
    struct fake *fake = growing(64 * KIB, 16 * MIB, 0, &pool);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t k = next(&seed) % BLOCKS;
        give(pool, blocks[k]);
        blocks[k] = 0;
        if (tarn_pool_alloc(pool, 20 * KIB + next(&seed) % MIB, 0, &blocks[k]) == TARN_OK) continue;
        struct walked sum = {0, 0, 0, 0};
        tarn_pool_report report = report_of(pool);
        assert_int_equal(tarn_pool_walk(pool, add_block, &sum), TARN_OK);
        uint64_t spare = fake->source.handles.spare_bytes;
        assert_int_equal(report.free_bytes, sum.free + spare);
        assert_int_equal(sum_of_sizes(&report), sum.free);
        assert_int_equal(report.largest_free, sum.largest);
        assert_int_equal(report.space_bytes, sum.unmapped);
        assert_int_equal(report.live_bytes, sum.live);
        seen++;
    }
    assert_true(seen > 100);
    assert_int_equal(tarn_pool_reset(pool), TARN_OK);
    end(pool);
}

// ---- threads

enum { THREADS = 4, TRIES = 200 };

static void *be_refused(void *arg) {
    tarn_pool *pool = (tarn_pool *)arg;
    for (uint64_t i = 0; i < TRIES; i++) {
        tarn_addr addr = 0;
        tarn_pool_report report = TARN_INIT(tarn_pool_report);
        if (tarn_pool_alloc(pool, 9 * MIB, 0, &addr) != TARN_NO_DEVICE_MEMORY ||
            tarn_pool_explain(pool, &report) != TARN_OK || report.requested != 9 * MIB ||
            report.cause != TARN_POOL_CAUSE_FULL || report.free_bytes > report.held_bytes)
            return arg;
        if (tarn_pool_alloc(pool, 100 + i * KIB, 0, &addr) == TARN_OK)
            (void)tarn_pool_free(pool, addr);
    }
    return NULL;
}

static void threads_that_are_refused_read_complete_reports(void **state) {
    (void)state;
    tarn_pool *pool = fixed(BASE, 8 * MIB, TARN_RULE_GPU_256);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, be_refused, pool), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(report_of(pool).refusals, THREADS * TRIES);
    end(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_no_report_before_the_first_refusal),
        cmocka_unit_test(a_report_stays_until_the_next_refusal),
        cmocka_unit_test(a_small_block_that_fits_without_a_slab_is_no_refusal),
        cmocka_unit_test(a_request_beyond_all_memory_is_explained),
        cmocka_unit_test(a_full_range_is_full),
        cmocka_unit_test(scattered_memory_is_fragmented),
        cmocka_unit_test(free_small_blocks_are_cached_memory),
        cmocka_unit_test(memory_that_waits_is_held_by_streams),
        cmocka_unit_test(a_limit_is_a_limit),
        cmocka_unit_test(only_complete_pages_count_as_movable),
        cmocka_unit_test(the_end_of_the_reservation_is_told_from_a_full_device),
        cmocka_unit_test(exhausted_records_are_told_from_a_full_device),
        cmocka_unit_test(memory_of_others_on_the_device_is_named),
        cmocka_unit_test(a_fence_explains_its_refusals),
        cmocka_unit_test(a_report_agrees_with_the_walk),
        cmocka_unit_test(threads_that_are_refused_read_complete_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
