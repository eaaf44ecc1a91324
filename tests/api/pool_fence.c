// SPDX-License-Identifier: Apache-2.0
// Pools with an electric fence: stray accesses stop at the byte, and all else is as in any pool.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <signal.h>

#include <tarn/tarn.h>

#include "support/api.h"

static tarn_device *device;
static tarn_device_info info = TARN_INIT(tarn_device_info);

static tarn_pool *fenced(uint32_t flags) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_grant both[] = {{{TARN_LOCATION_DEVICE, info.ordinal}, TARN_ACCESS_READ_WRITE},
                         {{TARN_LOCATION_HOST, 0}, TARN_ACCESS_READ_WRITE}};
    tarn_pool *pool = NULL;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.flags = flags;
    desc.grants = both;
    desc.grant_count = (info.features & TARN_FEATURE_HOST_ACCESS) != 0 ? 2 : 1;
    assert_ok(tarn_pool_create(&desc, &pool));
    return pool;
}

static tarn_addr take(tarn_pool *pool, uint64_t bytes) {
    tarn_addr addr = 0;
    assert_ok(tarn_pool_alloc(pool, bytes, TARN_STREAM_NONE, &addr));
    return addr;
}

static void skip_where_the_cpu_cannot(void) {
    if ((info.features & TARN_FEATURE_HOST_ACCESS) == 0) skip();
}

// ---- by the CPU, in children

static volatile uintptr_t awaited;

static void on_fault(int number, siginfo_t *what, void *context) {
    (void)number, (void)context;
    _exit((uintptr_t)what->si_addr == awaited ? 42 : 43);
}

// Where a child's access of the byte faults: 42 at the byte, 43 elsewhere, 0 nowhere.
static int touch(tarn_addr addr, bool write) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
        (void)sigaction(SIGSEGV, &action, NULL);
        (void)sigaction(SIGBUS, &action, NULL);
        awaited = (uintptr_t)addr;
        volatile char *byte = (volatile char *)(uintptr_t)addr;
        if (write) *byte = 1;
        char seen = *byte;
        (void)seen;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void the_byte_behind_an_exact_block_faults(void **state) {
    static const uint64_t sizes[] = {1, 7, 100, 1000, 4096, 4097, 1 << 20};
    (void)state;
    skip_where_the_cpu_cannot();
    tarn_pool *pool = fenced(TARN_POOL_FENCE_EXACT);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tarn_addr block = take(pool, sizes[i]);
        assert_int_equal(touch(block, true), 0);
        assert_int_equal(touch(block + sizes[i] - 1, true), 0);
        assert_int_equal(touch(block + sizes[i], true), 42);
        assert_int_equal(touch(block + sizes[i], false), 42);
        assert_ok(tarn_pool_free(pool, block));
        assert_int_equal(touch(block, false), 42);
        assert_int_equal(touch(block + sizes[i] - 1, true), 42);
    }
    assert_ok(tarn_pool_destroy(pool));
}

static void blocks_keep_the_alignment_that_they_have_elsewhere(void **state) {
    (void)state;
    tarn_pool *pool = fenced(TARN_POOL_FENCE);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    for (uint64_t align = 1; align <= 1 << 20; align *= 32) {
        tarn_addr block = 0;
        request.bytes = 1000;
        request.alignment = align;
        assert_ok(tarn_pool_alloc_with(pool, &request, &block));
        assert_int_equal(block % 256, 0);
        assert_int_equal(block % align, 0);
        assert_ok(tarn_pool_free(pool, block));
    }
    assert_ok(tarn_pool_destroy(pool));
}

// Frees a block after a child's write to the byte; how the child ends.
static int damage(tarn_addr offset_from_end, bool before) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        tarn_device *own = NULL; // the parent's is not the child's
        tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
        tarn_pool *pool = NULL;
        tarn_addr block = 0;
        desc.kind = TARN_POOL_EXPANDABLE;
        desc.flags = TARN_POOL_FENCE;
        if (freopen("/dev/null", "w", stderr) == NULL ||
            tarn_device_open("host:0,memory=64M", &own) != TARN_OK)
            _exit(1);
        desc.device = own;
        if (tarn_pool_create(&desc, &pool) != TARN_OK ||
            tarn_pool_alloc(pool, 100, TARN_STREAM_NONE, &block) != TARN_OK)
            _exit(1);
        char *bytes = (char *)(uintptr_t)block;
        memset(bytes, 0, 100);
        *(before ? bytes - 1 : bytes + 99 + offset_from_end) ^= 1;
        _exit(tarn_pool_free(pool, block) == TARN_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void changed_bytes_between_block_and_fence_end_the_process(void **state) {
    (void)state;
    skip_where_the_cpu_cannot();
    assert_int_equal(damage(0, false), 0); // the block's own last byte
    assert_int_equal(damage(1, false), 100 + SIGABRT);
    assert_int_equal(damage(156, false), 100 + SIGABRT); // the last before the fence
    assert_int_equal(damage(0, true), 100 + SIGABRT);
}

// ---- by copies

static void a_fill_beyond_a_block_is_refused(void **state) {
    (void)state;
    tarn_pool *pool = fenced(TARN_POOL_FENCE_EXACT);
    tarn_addr block = take(pool, 1000);
    assert_ok(tarn_fill(device, block, 0, 1, 1000, TARN_STREAM_NONE));
    assert_int_equal(tarn_fill(device, block, 0, 1, 1001, TARN_STREAM_NONE), TARN_NOT_MAPPED);
    assert_ok(tarn_pool_free(pool, block));
    assert_int_equal(tarn_fill(device, block, 0, 1, 1, TARN_STREAM_NONE), TARN_NOT_MAPPED);
    assert_ok(tarn_pool_destroy(pool));
}

// ---- as any pool

static void addresses_are_not_used_again_soon(void **state) {
    tarn_addr blocks[100];
    (void)state;
    tarn_pool *pool = fenced(TARN_POOL_FENCE);
    for (unsigned i = 0; i < 100; i++) {
        blocks[i] = take(pool, 64);
        assert_ok(tarn_pool_free(pool, blocks[i]));
        for (unsigned k = 0; k < i; k++) assert_int_not_equal(blocks[k], blocks[i]);
    }
    assert_ok(tarn_pool_destroy(pool));
}

static void a_range_that_is_used_up_begins_anew(void **state) {
    (void)state;
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    uint64_t page = info.granularity_minimum;
    tarn_addr keep, block = 0;
    desc.kind = TARN_POOL_EXPANDABLE;
    desc.device = device;
    desc.flags = TARN_POOL_FENCE;
    desc.bytes = 16 * page;
    assert_ok(tarn_pool_create(&desc, &pool));
    keep = take(pool, page);
    for (unsigned i = 0; i < 40; i++) {
        block = take(pool, page);
        assert_int_not_equal(block, keep);
        assert_ok(tarn_pool_free(pool, block));
    }
    assert_int_equal(tarn_pool_alloc(pool, 16 * page, TARN_STREAM_NONE, &block),
                     TARN_NO_ADDRESS_SPACE);
    assert_ok(tarn_pool_free(pool, keep));
    assert_ok(tarn_pool_destroy(pool));
}

static void wrong_frees_are_refused(void **state) {
    (void)state;
    tarn_pool *pool = fenced(TARN_POOL_FENCE);
    tarn_addr block = take(pool, 100);
    assert_int_equal(tarn_pool_free(pool, block + 16), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_pool_destroy(pool), TARN_BUSY);
    assert_ok(tarn_pool_free(pool, 0));
    assert_ok(tarn_pool_free(pool, block));
    assert_int_equal(tarn_pool_free(pool, block), TARN_BAD_ADDRESS);
    assert_ok(tarn_pool_destroy(pool));
}

static void a_free_in_stream_order_waits_for_the_work(void **state) {
    tarn_stream stream = 0, other = 0;
    (void)state;
    tarn_pool *pool = fenced(TARN_POOL_FENCE);
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_create(device, &other));
    for (unsigned i = 0; i < 8; i++) {
        tarn_addr block = 0;
        assert_ok(tarn_pool_alloc(pool, 4 << 20, stream, &block));
        assert_ok(tarn_fill(device, block, i, 1, 4 << 20, stream));
        assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
        assert_ok(tarn_fill(device, block, i, 1, 4 << 20, other));
        if (i % 2 == 0) {
            assert_ok(tarn_pool_used_on(pool, block, other));
            assert_ok(tarn_pool_free(pool, block));
        } else {
            assert_ok(tarn_pool_free_on(pool, block, other));
        }
    }
    assert_int_equal(tarn_pool_used_on(pool, 4096, other), TARN_BAD_ADDRESS);
    assert_int_equal(tarn_pool_free_on(pool, 4096, other), TARN_BAD_ADDRESS);
    assert_ok(tarn_stream_destroy(stream)); // no fault of the device: nothing was torn away
    assert_ok(tarn_stream_destroy(other));
    assert_ok(tarn_pool_destroy(pool));
}

struct job {
    tarn_pool *pool;
    tarn_addr block;
    tarn_status status;
};

static void free_inside(void *argument) {
    struct job *job = (struct job *)argument;
    job->status = tarn_pool_free(job->pool, job->block);
}

static void a_host_function_may_free(void **state) {
    tarn_stream stream = 0;
    (void)state;
    struct job job = {fenced(TARN_POOL_FENCE), 0, TARN_BUSY};
    job.block = take(job.pool, 100);
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_call(stream, free_inside, &job));
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(job.status);
    assert_ok(tarn_pool_free(job.pool, take(job.pool, 100))); // ends the other as well
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_pool_destroy(job.pool));
}

static bool count_bytes(const tarn_block *block, void *argument) {
    *(uint64_t *)argument += block->state == TARN_BLOCK_LIVE ? block->bytes : 0;
    return true;
}

static void blocks_are_counted_and_walked(void **state) {
    tarn_pool_stats stats = {.struct_size = sizeof stats};
    tarn_pool_info what = TARN_INIT(tarn_pool_info);
    tarn_block block;
    uint64_t bytes = 0;
    (void)state;
    tarn_pool *pool = fenced(TARN_POOL_FENCE);
    tarn_addr one = take(pool, 100), two = take(pool, 5000);
    assert_ok(tarn_pool_query_stats(pool, &stats));
    assert_int_equal(stats.live_blocks, 2);
    assert_int_equal(stats.live_bytes, 5100);
    assert_true(stats.held_bytes >= 5100);
    assert_ok(tarn_pool_walk(pool, count_bytes, &bytes));
    assert_int_equal(bytes, 5100);
    assert_ok(tarn_pool_query_block(pool, two + 4999, &block));
    assert_int_equal(block.addr, two);
    assert_int_equal(tarn_pool_query_block(pool, one + 100, &block), TARN_BAD_ADDRESS);
    assert_ok(tarn_pool_query(pool, &what));
    assert_int_equal(what.kind, TARN_POOL_EXPANDABLE);
    assert_ok(tarn_pool_reset(pool));
    assert_ok(tarn_pool_query_stats(pool, &stats));
    assert_int_equal(stats.live_blocks, 0);
    assert_int_equal(stats.held_bytes, 0);
    assert_int_equal(stats.peak_live_bytes, 5100);
    assert_ok(tarn_pool_destroy(pool));
}

// ---- which pools

static void a_pool_without_pages_cannot_have_one(void **state) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    (void)state;
    desc.kind = TARN_POOL_FIXED;
    desc.base = 1 << 20;
    desc.bytes = 1 << 20;
    desc.flags = TARN_POOL_FENCE;
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_UNSUPPORTED);
    assert_int_equal(setenv("TARN_POOL_FENCE", "1", 1), 0);
    desc.flags = 0;
    assert_ok(tarn_pool_create(&desc, &pool)); // the environment asks, it does not insist
    assert_ok(tarn_pool_destroy(pool));
    assert_int_equal(unsetenv("TARN_POOL_FENCE"), 0);
}

static void the_environment_makes_fences(void **state) {
    tarn_pool_desc desc = TARN_INIT(tarn_pool_desc);
    tarn_pool *pool = NULL;
    (void)state;
    desc.kind = TARN_POOL_SEGMENTS;
    desc.device = device;
    assert_int_equal(setenv("TARN_POOL_FENCE", "exact", 1), 0);
    assert_ok(tarn_pool_create(&desc, &pool));
    tarn_addr block = take(pool, 1000);
    assert_int_equal(tarn_fill(device, block, 0, 1, 1001, TARN_STREAM_NONE), TARN_NOT_MAPPED);
    assert_ok(tarn_pool_free(pool, block));
    assert_ok(tarn_pool_destroy(pool));
    assert_int_equal(setenv("TARN_POOL_FENCE", "maybe", 1), 0);
    assert_int_equal(tarn_pool_create(&desc, &pool), TARN_BAD_CONFIG);
    assert_int_equal(unsetenv("TARN_POOL_FENCE"), 0);
}

static int open_it(void **state) {
    (void)state;
    return tarn_device_open(NULL, &device) == TARN_OK && tarn_device_query(device, &info) == TARN_OK
               ? 0
               : -1;
}

static int close_it(void **state) {
    (void)state;
    return tarn_device_close(device) == TARN_OK ? 0 : -1; // nothing was left behind
}

int main(void) {
    const char *name = getenv("TARN_TEST_DEVICE");
    if (name != NULL) (void)setenv("TARN_DEVICE", name, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_byte_behind_an_exact_block_faults),
        cmocka_unit_test(blocks_keep_the_alignment_that_they_have_elsewhere),
        cmocka_unit_test(changed_bytes_between_block_and_fence_end_the_process),
        cmocka_unit_test(a_fill_beyond_a_block_is_refused),
        cmocka_unit_test(addresses_are_not_used_again_soon),
        cmocka_unit_test(a_range_that_is_used_up_begins_anew),
        cmocka_unit_test(wrong_frees_are_refused),
        cmocka_unit_test(a_free_in_stream_order_waits_for_the_work),
        cmocka_unit_test(a_host_function_may_free),
        cmocka_unit_test(blocks_are_counted_and_walked),
        cmocka_unit_test(a_pool_without_pages_cannot_have_one),
        cmocka_unit_test(the_environment_makes_fences),
    };
    return cmocka_run_group_tests(tests, open_it, close_it);
}
