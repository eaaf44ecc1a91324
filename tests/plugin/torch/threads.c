// SPDX-License-Identifier: Apache-2.0
// Claims about many threads that allocate, use, hand over and free at once, on several streams.
#include "plugin/torch/library.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 16, ROUNDS = 400, SLOTS = 64, STREAMS = 4 };

// Where threads leave blocks for whoever comes next, who frees them.
static _Atomic(unsigned char *) slots[SLOTS];
static _Atomic(int) damaged;

// What a block's first bytes say of it, so that whoever frees it knows.
struct label {
    uint32_t bytes;
    uint32_t stream;
    unsigned char pattern;
};

static void *stream_of(uint32_t number) {
    return (void *)(uintptr_t)(number * 0x100); // the first is the default stream
}

static unsigned char *make(unsigned *seed) {
    struct label label = {.bytes = sizeof label + (uint32_t)rand_r(seed) % 60000,
                          .stream = (uint32_t)rand_r(seed) % STREAMS,
                          .pattern = (unsigned char)rand_r(seed)};
    unsigned char *block = lib.alloc(label.bytes, 0, stream_of(label.stream));
    if (block != NULL) {
        memset(block, label.pattern, label.bytes);
        memcpy(block, &label, sizeof label);
    }
    return block;
}

static void check_and_free(unsigned char *block) {
    struct label label;
    memcpy(&label, block, sizeof label);
    for (uint32_t i = sizeof label; i < label.bytes; i += 97)
        if (block[i] != label.pattern) (void)atomic_fetch_add(&damaged, 1);
    lib.release(block, label.bytes, 0, stream_of(label.stream));
}

static void *work(void *arg) {
    unsigned seed = (unsigned)(uintptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        unsigned char *block = make(&seed);
        if (block == NULL) {
            (void)atomic_fetch_add(&damaged, 1);
            break;
        }
        if (rand_r(&seed) % 8 == 0)
            lib.record_stream(block, stream_of((uint32_t)rand_r(&seed) % STREAMS));
        block = atomic_exchange(&slots[rand_r(&seed) % SLOTS], block);
        if (block != NULL) check_and_free(block);
        if (i % 100 == 50) {
            struct tarn_torch_statistics stats = {.size = sizeof stats};
            (void)lib.trim(0, 0, NULL);
            (void)lib.stats(0, &stats);
        }
    }
    return NULL;
}

static void run_threads(void *arg) {
    pthread_t threads[THREADS];
    (void)arg;
    open_library();
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i] != NULL) check_and_free(slots[i]);
    struct tarn_torch_statistics stats = stats_of(0);
    assert_int_equal(damaged, 0);
    assert_int_equal(stats.live_blocks, 0);
    assert_int_equal(stats.allocs, THREADS * ROUNDS);
    assert_int_equal(stats.frees, THREADS * ROUNDS);
    assert_int_equal(stats.streams, STREAMS);
    assert_int_equal(stats.bad_frees, 0);
}

static void sixteen_threads_keep_each_others_blocks_whole(void **state) {
    (void)state;
    with(run_threads, "TARN_TORCH_DEVICE", "host:0,memory=512M", NULL);
    with(run_threads, "TARN_TORCH_DEVICE", "host:0,memory=512M", "TARN_TORCH_POOL", "segments",
         NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_threads_keep_each_others_blocks_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
