// SPDX-License-Identifier: Apache-2.0
// Plain memory from the driver's stream-ordered pools, which the option `ordered` asks for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tarn/tarn.h>

#include "standin/cuda/exports.h"
#include "support/child.h"
#include "support/gate.h"

#define ORDERED "cuda:0,ordered=yes"

#define assert_ok(call) assert_int_equal((call), TARN_OK)

static tarn_device *open_ordered(void) {
    tarn_device *device = NULL;
    assert_ok(tarn_device_open(ORDERED, &device));
    return device;
}

// The driver's own free waits for the device, and so behind a closed gate for ever.
static void freeing_waits_for_nobody(void **state) {
    (void)state;
    struct gate gate = {0};
    tarn_device *device = open_ordered();
    tarn_stream stream = 0;
    tarn_addr used = 0;
    tarn_addr idle = 0;
    assert_ok(tarn_memory_alloc(device, 1000, &used));
    assert_ok(tarn_memory_alloc(device, 1000, &idle));
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_call(stream, pass_gate, &gate));
    assert_ok(tarn_fill(NULL, used, 1, 1, 1000, stream));
    assert_ok(tarn_memory_free(idle, TARN_NO_WAIT));
    assert_ok(tarn_memory_alloc(device, 1000, &idle));
    assert_ok(tarn_memory_free(idle, TARN_NO_WAIT));
    assert_int_equal(tarn_stream_query(stream), TARN_NOT_READY);
    atomic_store(&gate.open, true);
    assert_ok(tarn_memory_free(used, 0)); // behind the work
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_device_trim(device));
    assert_ok(tarn_device_close(device));
    assert_int_equal(standin_cuda_alive(), 0);
}

static void another_device_copies_it_as_any_memory(void **state) {
    (void)state;
    tarn_device *device = open_ordered();
    tarn_device *peer = NULL;
    tarn_addr here = 0;
    tarn_addr there = 0;
    char byte = 0;
    assert_ok(tarn_device_sibling(device, 1, &peer));
    assert_ok(tarn_memory_alloc(device, 100, &here));
    assert_ok(tarn_memory_alloc(peer, 100, &there));
    assert_ok(tarn_fill(device, here, 7, 1, 100, 0));
    assert_ok(tarn_copy(peer, there, here, 100, 0));
    assert_ok(tarn_copy(device, TARN_ADDR(&byte), there, 1, 0));
    assert_int_equal(byte, 7);
    assert_ok(tarn_memory_free(there, 0));
    assert_ok(tarn_memory_free(here, 0));
    assert_ok(tarn_device_close(peer));
    assert_ok(tarn_device_close(device));
}

static bool alloc_once(long n) {
    tarn_device *device = open_ordered();
    tarn_addr addr = 0;
    (void)standin_cuda_fail(n);
    tarn_status status = tarn_memory_alloc(device, 1000, &addr);
    bool fired = standin_cuda_fail(-1) < 0;
    assert_int_equal(status != TARN_OK, fired);
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_device_close(device));
    assert_int_equal(standin_cuda_alive(), 0);
    return fired;
}

static void a_failing_call_leaves_nothing(void **state) {
    (void)state;
    long n = 0;
    while (alloc_once(n)) n++;
    assert_true(n > 0);
}

static void open_without_pools(void *arg) {
    (void)arg;
    tarn_device *device = NULL;
    tarn_error error;
    assert_int_equal(tarn_device_open(ORDERED, &device), TARN_UNSUPPORTED);
    assert_int_equal(tarn_last_error(&error), TARN_UNSUPPORTED);
    assert_non_null(strstr(error.message, "ordered=yes"));
    assert_ok(tarn_device_open("cuda:0", &device)); // there is the other way
    assert_ok(tarn_device_close(device));
}

static void run(void (*body)(void *), ...) {
    va_list pairs;
    va_start(pairs, body);
    child_run(body, NULL, pairs);
    va_end(pairs);
}

// A driver that has none, and a device that refuses.
static void a_driver_without_pools_says_so(void **state) {
    (void)state;
    run(open_without_pools, "TARN_STANDIN_CUDA_VERSION", "11010", NULL);
    run(open_without_pools, "TARN_STANDIN_CUDA_WITHOUT", "pools", NULL);
}

int main(void) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/cuda/libcuda.so.1", getenv("STANDIN"));
    (void)setenv("TARN_CUDA_LIBRARY", path, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driver_without_pools_says_so), // in processes that began before the rest
        cmocka_unit_test(freeing_waits_for_nobody),
        cmocka_unit_test(another_device_copies_it_as_any_memory),
        cmocka_unit_test(a_failing_call_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
