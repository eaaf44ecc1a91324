// SPDX-License-Identifier: Apache-2.0
// HIAI_DMalloc and HIAI_DFree on the host side.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/child.h"
#include "support/hiai.h"

// A size that nothing else uses, so that it cannot come from what is kept for reuse.
static void refuses(uint32_t size, uint32_t flag, HIAI_StatusT status) {
    assert_null(HIAI_DMalloc(size, 0, flag));
    assert_hiai(HIAIX_GetLastError(), status);
}

static void gives(uint32_t size, uint32_t flag) {
    void *block = HIAI_DMalloc(size, 0, flag);
    assert_hiai(HIAIX_GetLastError(), HIAI_OK);
    assert_non_null(block);
    assert_int_equal(HIAIX_BlockSize(block), size);
    assert_hiai_ok(HIAI_DFree(block));
}

// Conformance test 2.
static void dmalloc_takes_1_byte_to_256_mib_on_the_host(void **state) {
    (void)state;
    refuses(0, MEMORY_ATTR_AUTO_FREE, HIAI_GRAPH_INVALID_VALUE);
    gives(1, MEMORY_ATTR_AUTO_FREE);
    gives(256 * KIB - 1, MEMORY_ATTR_AUTO_FREE); // the old lower limit is not enforced
    gives(256 * KIB, MEMORY_ATTR_AUTO_FREE);
    gives(256 * MIB, MEMORY_ATTR_AUTO_FREE);
    refuses(256 * MIB + 1, MEMORY_ATTR_AUTO_FREE, HIAI_GRAPH_MALLOC_LARGER);
    refuses(UINT32_MAX, MEMORY_ATTR_AUTO_FREE, HIAI_GRAPH_MALLOC_LARGER);
}

// Conformance test 3.
static void dmalloc_knows_the_flags_0_2_and_4(void **state) {
    (void)state;
    gives(1000, MEMORY_ATTR_NONE);
    gives(1000, MEMORY_ATTR_AUTO_FREE);
    gives(1000, MEMORY_ATTR_MANUAL_FREE);
    refuses(1000, 1, HIAI_GRAPH_INVALID_VALUE);
    refuses(1000, 6, HIAI_GRAPH_INVALID_VALUE);
    refuses(1000, MEMORY_ATTR_MAX, HIAI_GRAPH_INVALID_VALUE);
}

// Conformance test 4.
static void blocks_are_aligned_distinct_and_keep_their_bytes(void **state) {
    static const uint32_t sizes[] = {1, 4096, 5000, 256 * KIB, 2 * MIB, 3110400};
    uint8_t *blocks[6];
    uint64_t sums[6];
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        blocks[i] = hiai_block(sizes[i], MEMORY_ATTR_AUTO_FREE, i);
        sums[i] = hiai_sum(blocks[i], sizes[i]);
        assert_int_equal((uintptr_t)blocks[i] % (sizes[i] >= 2 * MIB ? 2 * MIB : 4096), 0);
    }
    for (unsigned i = 0; i < 6; i += 2) assert_hiai_ok(HIAI_DFree(blocks[i]));
    for (unsigned i = 1; i < 6; i += 2) {
        assert_true(hiai_sum(blocks[i], sizes[i]) == sums[i]);
        assert_hiai_ok(HIAI_DFree(blocks[i]));
    }
}

// ---- conformance tests 5 and 6: a pool with room for one block of 256 MiB

static void *taken[4096];
static unsigned taken_count;

// The largest first; after that there is no room for anything.
static void fill_pool(void) {
    taken_count = 0;
    for (uint32_t bytes = 256 * MIB; bytes != 0; bytes /= 2) {
        void *block;
        while (taken_count < 4096 && (block = HIAI_DMalloc(bytes, 0, 0)) != NULL)
            taken[taken_count++] = block;
    }
    assert_int_equal(HIAIX_BlockSize(taken[0]), 256 * MIB);
}

static void free_pool(void) {
    while (taken_count > 0) assert_hiai_ok(HIAI_DFree(taken[--taken_count]));
}

static void full_pool_refuses_at_once_or_after_the_time(void **state) {
    (void)state;
    fill_pool();
    uint64_t before = hiai_now_ms();
    refuses(1000, MEMORY_ATTR_AUTO_FREE, HIAI_GRAPH_NO_MEMORY);
    assert_null(HIAI_DMalloc(1000, 300, 0));
    assert_hiai(HIAIX_GetLastError(), HIAI_GRAPH_NO_MEMORY);
    assert_true(hiai_now_ms() - before >= 299);
    free_pool();
    gives(1000, MEMORY_ATTR_AUTO_FREE);
}

struct waiter {
    pthread_t thread;
    uint32_t bytes;
    void *block;
    _Atomic(int) *turn;
    int got_turn;
};

static void *wait_for_block(void *arg) {
    struct waiter *w = (struct waiter *)arg;
    w->block = HIAI_DMalloc(w->bytes, LONG_ENOUGH, MEMORY_ATTR_AUTO_FREE);
    w->got_turn = atomic_fetch_add(w->turn, 1);
    return NULL;
}

// After that many more waits have begun. Statistics count a wait when it is over, so time it is.
static void start_waiter(struct waiter *w, uint32_t bytes, _Atomic(int) *turn) {
    *w = (struct waiter){.bytes = bytes, .turn = turn};
    assert_int_equal(pthread_create(&w->thread, NULL, wait_for_block, w), 0);
    hiai_nap_ms(50);
}

// A call without time fails for as long as somebody waits, although there is room.
static void await_queue(void) {
    void *probe;
    while ((probe = HIAI_DMalloc(1000, 0, MEMORY_ATTR_AUTO_FREE)) != NULL) {
        assert_hiai_ok(HIAI_DFree(probe));
        hiai_nap_ms(1);
    }
}

static void join_waiter(struct waiter *w) {
    assert_int_equal(pthread_join(w->thread, NULL), 0);
    assert_non_null(w->block);
    assert_hiai_ok(HIAI_DFree(w->block));
}

static void dfree_lets_a_waiting_dmalloc_go_on(void **state) {
    struct waiter waiter;
    _Atomic(int) turn = 0;
    (void)state;
    fill_pool();
    start_waiter(&waiter, 1000, &turn);
    assert_int_equal(turn, 0);
    free_pool();
    join_waiter(&waiter);
}

static void large_request_is_not_overtaken_by_small_ones(void **state) {
    struct waiter large, small;
    _Atomic(int) turn = 0;
    (void)state;
    fill_pool();
    start_waiter(&large, 256 * MIB, &turn);
    start_waiter(&small, 1000, &turn);
    free_pool();
    assert_int_equal(pthread_join(large.thread, NULL), 0);
    assert_int_equal(pthread_join(small.thread, NULL), 0);
    assert_int_equal(large.got_turn + small.got_turn, 1);
    assert_non_null(large.block);
    assert_non_null(small.block);
    assert_hiai_ok(HIAI_DFree(large.block));
    assert_hiai_ok(HIAI_DFree(small.block));
}

// The small one does not fit beside the large one: it goes on only when the large one was freed.
static void small_request_waits_behind_a_large_one(void **state) {
    struct waiter large, small;
    _Atomic(int) turn = 0;
    (void)state;
    fill_pool();
    assert_hiai_ok(HIAI_DFree(taken[0]));
    taken[0] = HIAI_DMalloc(1 * MIB, 0, 0); // room for a small one, none for a large one
    assert_non_null(taken[0]);
    start_waiter(&large, 256 * MIB, &turn);
    await_queue();
    start_waiter(&small, 1000, &turn);
    assert_int_equal(turn, 0); // there was room for the small one all the time
    free_pool();
    join_waiter(&large);
    join_waiter(&small);
}

// ---- conformance test 7

static void dfree_names_what_is_wrong(void **state) {
    static uint8_t garbage[8192];
    uint8_t *block = hiai_block(8192, MEMORY_ATTR_AUTO_FREE, 1);
    (void)state;
    assert_hiai(HIAI_DFree(NULL), HIAI_GRAPH_INVALID_VALUE);
    assert_hiai(HIAI_DFree(garbage), HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_hiai(HIAI_DFree(block + 1), HIAI_GRAPH_RELEASE_WRONG_ADDR);
    assert_hiai(HIAI_DFree(block + 4096), HIAI_GRAPH_RELEASE_WRONG_ADDR);
    assert_int_equal(block[1], (uint8_t)8); // a failure has changed nothing
    assert_hiai_ok(HIAI_DFree(block));
    assert_hiai(HIAI_DFree(block), HIAI_GRAPH_NOT_FOND_MEMORY);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "freed already"));
}

static void isdmalloc_knows_ranges_within_blocks(void **state) {
    static uint8_t plain[100];
    uint8_t *block = hiai_block(5000, MEMORY_ATTR_MANUAL_FREE, 1);
    (void)state;
    assert_int_equal(HIAIX_IsDMalloc(block, 5000), 1);
    assert_int_equal(HIAIX_IsDMalloc(block, 0), 1);
    assert_int_equal(HIAIX_IsDMalloc(block + 4999, 1), 1);
    assert_int_equal(HIAIX_IsDMalloc(block, 5001), 0);
    assert_int_equal(HIAIX_IsDMalloc(block + 5000, 1), 0);
    assert_int_equal(HIAIX_IsDMalloc(plain, 1), 0);
    assert_int_equal(HIAIX_IsDMalloc(NULL, 1), 0);
    assert_int_equal(HIAIX_BlockSize(block), 5000);
    assert_int_equal(HIAIX_BlockSize(block + 1), 0);
    assert_int_equal(HIAIX_BlockSize(NULL), 0);
    assert_hiai_ok(HIAI_DFree(block));
    assert_int_equal(HIAIX_IsDMalloc(block, 1), 0);
    assert_int_equal(HIAIX_BlockSize(block), 0);
}

static void media_memory_is_not_of_this_side(void **state) {
    uint8_t *block = hiai_block(100, MEMORY_ATTR_AUTO_FREE, 1);
    (void)state;
    assert_null(HIAI_DVPP_DMalloc(100));
    assert_hiai(HIAIX_GetLastError(), HIAIX_WRONG_SIDE);
    assert_hiai(HIAI_DVPP_DFree(block), HIAIX_WRONG_SIDE);
    assert_hiai_ok(HIAI_DFree(block));
}

// ---- before the start; settings

static void in_child(void (*body)(void *arg), ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, NULL, pairs);
    va_end(pairs);
}

static void without_init(void *arg) {
    uint32_t count = 0;
    (void)arg;
    assert_null(HIAI_DMalloc(1, 0, 0));
    assert_hiai(HIAIX_GetLastError(), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAI_DFree(&count), HIAI_GRAPH_NOT_EXIST);
    assert_null(HIAI_DVPP_DMalloc(1));
    assert_hiai(HIAIX_GetLastError(), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAI_CreateGraph("x", 1), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAI_DestroyGraph(1), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAI_GetFirstGraphId(&count), HIAI_GRAPH_NOT_EXIST);
    assert_hiai(HIAI_C_SendData(hiai_port(1, 0), "frame", 5, &count), HIAI_GRAPH_NOT_EXIST);
    assert_int_equal(HIAIX_IsDMalloc(&count, 4), 0);
    assert_hiai_ok(HIAI_GetDeviceNum(&count)); // programs ask before
    assert_int_equal(count, 4);
    assert_hiai_ok(HIAI_Init(0));
    gives(1, 0);
}

// A child of fork() has what its parent had only if it starts itself.
static void calls_before_init_are_refused(void **state) {
    (void)state;
    in_child(without_init, (const char *)NULL);
}

static void init_knows_devices(void **state) {
    uint32_t device = 9;
    (void)state;
    assert_hiai_ok(HIAI_Init(3));
    assert_hiai(HIAI_Init(4), HIAI_INIT_FAIL);
    assert_hiai(HIAI_Init(64), HIAI_INIT_FAIL);
    assert_hiai_ok(HIAI_GetDeviceNum(&device));
    assert_int_equal(device, 4);
    assert_hiai_ok(HIAI_GetFirstDeviceId(&device));
    assert_int_equal(device, 0);
    assert_hiai_ok(HIAI_GetNextDeviceId(2, &device));
    assert_int_equal(device, 3);
    assert_hiai(HIAI_GetNextDeviceId(3, &device), HIAI_GRAPH_GET_DEVID_ERROR);
    assert_hiai(HIAI_GetNextDeviceId(UINT32_MAX, &device), HIAI_GRAPH_GET_DEVID_ERROR);
    assert_int_equal(device, 3);
    assert_hiai(HIAI_GetDeviceNum(NULL), HIAI_GRAPH_GET_DEVNUM_ERROR);
    assert_hiai(HIAI_GetFirstDeviceId(NULL), HIAI_GRAPH_GET_DEVID_ERROR);
    assert_hiai(HIAI_GetNextDeviceId(0, NULL), HIAI_GRAPH_GET_DEVID_ERROR);
}

static void no_device_is_on_a_bus(void **state) {
    int32_t bus = 1, device = 2, function = 3;
    (void)state;
    assert_hiai(HIAI_GetPCIeInfo(0, &bus, &device, &function), HIAI_GRAPH_GET_PCIEINFO_ERROR);
    assert_int_equal(bus + device + function, 6);
}

static void one_device(void *arg) {
    uint32_t count = 0;
    (void)arg;
    assert_hiai(HIAI_Init(1), HIAI_INIT_FAIL);
    assert_hiai_ok(HIAI_Init(0));
    assert_hiai_ok(HIAI_GetDeviceNum(&count));
    assert_int_equal(count, 1);
    refuses(5 * MIB, 0, HIAI_GRAPH_NO_MEMORY); // more than the pool: no wait helps
    gives(4 * MIB, 0);
}

static void wrong_setting(void *arg) {
    (void)arg;
    assert_hiai(HIAI_Init(0), HIAI_INIT_FAIL);
    assert_non_null(strstr(HIAIX_GetLastErrorText(), "4Q"));
}

static void settings_are_read_from_the_environment(void **state) {
    (void)state;
    in_child(one_device, "TARN_HIAI_DEVICES", "1", "TARN_HIAI_POOL", "4M", (const char *)NULL);
    in_child(wrong_setting, "TARN_HIAI_POOL", "4Q", (const char *)NULL);
}

// Both sides in one.
static void as_board(void *arg) {
    (void)arg;
    assert_hiai_ok(HIAI_Init(0));
    void *media = HIAI_DVPP_DMalloc(100);
    assert_non_null(media);
    assert_hiai(HIAI_DFree(media), HIAI_GRAPH_WRONG_MEMORY_TYPE);
    assert_hiai_ok(HIAI_DVPP_DFree(media));
    assert_null(HIAI_DVPP_DMalloc(0));
    assert_hiai(HIAIX_GetLastError(), HIAI_GRAPH_INVALID_VALUE);
    assert_null(HIAI_DVPP_DMalloc(256 * MIB - 95));
    assert_hiai(HIAIX_GetLastError(), HIAI_GRAPH_MALLOC_LARGER);
}

static void board_has_both_sides(void **state) {
    (void)state;
    in_child(as_board, "TARN_HIAI_MODE", "RC", (const char *)NULL);
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, hiai_setup_alone, hiai_teardown_alone)

int main(void) {
    const struct CMUnitTest tests[] = {
        ALONE(dmalloc_takes_1_byte_to_256_mib_on_the_host),
        ALONE(dmalloc_knows_the_flags_0_2_and_4),
        ALONE(blocks_are_aligned_distinct_and_keep_their_bytes),
        ALONE(full_pool_refuses_at_once_or_after_the_time),
        ALONE(dfree_lets_a_waiting_dmalloc_go_on),
        ALONE(large_request_is_not_overtaken_by_small_ones),
        ALONE(small_request_waits_behind_a_large_one),
        ALONE(dfree_names_what_is_wrong),
        ALONE(isdmalloc_knows_ranges_within_blocks),
        ALONE(media_memory_is_not_of_this_side),
        ALONE(calls_before_init_are_refused),
        ALONE(init_knows_devices),
        ALONE(no_device_is_on_a_bus),
        ALONE(settings_are_read_from_the_environment),
        ALONE(board_has_both_sides),
    };
    (void)setenv("TARN_HIAI_POOL", "400M", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
