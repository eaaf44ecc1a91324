// SPDX-License-Identifier: Apache-2.0
// Claims about a stream that the pool cannot record. The plug-in lies in the same program as the
// test, on one Tarn. The first record of each kind fails on request (docs/failures.md).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <time.h>

#include "plugin/torch/device.h"
#include "plugin/torch/torch.h"
#include "support/gate.h"

#define MIB ((ssize_t)1 << 20)

static void *const first = (void *)0x1110;
static void *const second = (void *)0x2220;

static int make_records_fail(void **state) {
    (void)state;
    return setenv("TARN_TORCH_DEVICE", "host:0,memory=64M", 1) != 0 ||
           setenv("TARN_FAIL", "tarn_pool_free_on:1;tarn_pool_used_on:1", 1) != 0;
}

// Work that uses the block for a while, so that a free that does not wait for it shows.
static void use_slowly(void *passed) {
    const struct timespec while_in_use = {.tv_nsec = 200000000};
    (void)nanosleep(&while_in_use, NULL);
    count(passed);
}

static void use_on(void *native, atomic_count_t *passed) {
    struct tn_torch_device *device = tn_torch_device(0, "test");
    tarn_stream stream = tn_torch_stream(device, native, "test");
    assert_int_equal(tarn_stream_call(stream, use_slowly, passed), TARN_OK);
}

static uint64_t live_bytes(void) {
    struct tarn_torch_statistics stats = {.size = sizeof stats};
    assert_int_equal(tarn_torch_stats(0, &stats), 0);
    return stats.live_bytes;
}

static void a_free_whose_stream_cannot_be_recorded_waits_for_it(void **state) {
    atomic_count_t passed = 0;
    (void)state;
    void *block = tarn_torch_malloc(40 * MIB, 0, first);
    assert_non_null(block);
    use_on(second, &passed);
    tarn_torch_free(block, 0, 0, second);
    assert_int_equal(passed, 1);
    assert_int_equal(live_bytes(), 0);
}

static void a_block_whose_use_cannot_be_recorded_is_freed_behind_it(void **state) {
    atomic_count_t passed = 0;
    (void)state;
    void *block = tarn_torch_malloc(40 * MIB, 0, first);
    assert_non_null(block);
    tarn_torch_record_stream(block, second);
    use_on(second, &passed); // after the record, as frameworks may
    tarn_torch_free(block, 0, 0, first);
    assert_int_equal(passed, 1);
    assert_int_equal(live_bytes(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_whose_stream_cannot_be_recorded_waits_for_it),
        cmocka_unit_test(a_block_whose_use_cannot_be_recorded_is_freed_behind_it),
    };
    return cmocka_run_group_tests(tests, make_records_fail, NULL);
}
