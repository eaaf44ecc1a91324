// SPDX-License-Identifier: Apache-2.0
// Work of the stand-in: streams, events, copies, fills, and stream-ordered memory.
#include <string.h>

#include "standin/cuda/tests/cuda.h"

#include "support/gate.h"

static void streams_are_handles_of_their_context(void **state) {
    const struct scene *scene = *state;
    tn_cu_stream stream = NULL;
    tn_cu_event event = NULL;
    tn_cu_event other = NULL;
    float ms = 0;
    assert_cu(cuStreamCreate(&stream, 2), TN_CU_INVALID_VALUE);
    assert_good(cuStreamCreate(&stream, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuEventCreate(&event, TN_CU_EVENT_DISABLE_TIMING));
    assert_good(cuCtxPushCurrent_v2(scene->context[1]));
    assert_good(cuEventCreate(&other, 0));
    assert_cu(cuEventRecord(other, stream), TN_CU_INVALID_HANDLE);
    assert_cu(cuLaunchHostFunc(stream, pass_gate, NULL), TN_CU_INVALID_HANDLE);
    assert_good(cuCtxPopCurrent_v2(NULL));
    assert_good(cuEventQuery(event)); // never recorded
    assert_good(cuEventRecord(event, stream));
    assert_good(cuStreamWaitEvent(stream, other, 0));
    assert_good(cuEventSynchronize(event));
    assert_cu(cuEventElapsedTime(&ms, event, event), TN_CU_INVALID_HANDLE); // not timed
    assert_cu(cuEventElapsedTime(&ms, other, other), TN_CU_INVALID_HANDLE); // never recorded
    assert_good(cuEventDestroy_v2(event));
    assert_good(cuEventDestroy_v2(other));
    assert_cu(cuEventQuery(event), TN_CU_INVALID_HANDLE);
    assert_good(cuStreamDestroy_v2(stream));
    assert_cu(cuStreamQuery(stream), TN_CU_INVALID_HANDLE);
}

// Pinned memory is written when the stream reaches the copy, pageable memory before the call
// returns.
static void pageable_memory_is_copied_while_the_caller_waits(void **state) {
    (void)state;
    struct gate gate = {0};
    char bytes[100];
    char back[100];
    char *pinned = NULL;
    tn_cu_address address = 0;
    tn_cu_stream stream = NULL;
    assert_good(cuStreamCreate(&stream, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuMemAlloc_v2(&address, sizeof bytes));
    assert_good(cuMemHostAlloc((void **)&pinned, sizeof bytes, TN_CU_HOST_ALLOC_PORTABLE));
    memset(bytes, 7, sizeof bytes);
    assert_good(cuLaunchHostFunc(stream, pass_gate, &gate));
    assert_good(cuMemcpyAsync(address, address_of(bytes), sizeof bytes, stream));
    memset(bytes, 8, sizeof bytes); // what was there when the call was made goes
    assert_good(cuMemcpyAsync(address_of(pinned), address, sizeof bytes, stream));
    assert_cu(cuStreamQuery(stream), TN_CU_NOT_READY);
    atomic_store(&gate.open, true);
    assert_good(cuMemcpyAsync(address_of(back), address, sizeof back, stream));
    assert_good(cuStreamQuery(stream));
    for (size_t i = 0; i < sizeof back; i++) {
        assert_int_equal(back[i], 7);
        assert_int_equal(pinned[i], 7);
    }
    assert_good(cuMemFreeHost(pinned));
    assert_good(cuMemFree_v2(address));
    assert_good(cuStreamDestroy_v2(stream));
}

static void the_null_stream_and_blocking_streams_wait_for_each_other(void **state) {
    (void)state;
    struct gate gate = {0};
    tn_cu_stream blocking = NULL;
    tn_cu_stream apart = NULL;
    tn_cu_address address = 0;
    assert_good(cuStreamCreate(&blocking, 0));
    assert_good(cuStreamCreate(&apart, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuMemAlloc_v2(&address, 16));
    assert_good(cuLaunchHostFunc(blocking, pass_gate, &gate));
    assert_good(cuMemsetD8Async(address, 1, 16, NULL));
    assert_cu(cuStreamQuery(NULL), TN_CU_NOT_READY);
    assert_good(cuMemsetD8Async(address, 1, 16, apart));
    assert_good(cuStreamSynchronize(apart));
    atomic_store(&gate.open, true);
    assert_good(cuStreamSynchronize(NULL));
    assert_good(cuStreamQuery(blocking));
    assert_good(cuMemFree_v2(address));
    assert_good(cuStreamDestroy_v2(apart));
    assert_good(cuStreamDestroy_v2(blocking));
}

static void rows_are_copied_and_filled(void **state) {
    (void)state;
    unsigned char back[8 * 4];
    tn_cu_stream stream = NULL;
    tn_cu_address address = 0;
    assert_good(cuStreamCreate(&stream, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuMemAlloc_v2(&address, 8 * 8));
    assert_good(cuMemsetD8Async(address, 1, 8 * 8, stream));
    assert_good(cuMemsetD2D16Async(address + 2, 8, 0x0505, 1, 8, stream));
    assert_cu(cuMemsetD16Async(address + 1, 0, 1, stream), TN_CU_INVALID_VALUE);
    assert_cu(cuMemsetD8Async(address_of(back), 0, 1, stream), TN_CU_INVALID_VALUE);
    tn_cu_rows rows = {.src_type = TN_CU_MEMORY_DEVICE,
                       .src_device = address,
                       .src_pitch = 8,
                       .dst_type = TN_CU_MEMORY_HOST,
                       .dst_host = back,
                       .dst_pitch = 4,
                       .width = 4,
                       .height = 8};
    assert_good(cuMemcpy2DAsync_v2(&rows, stream));
    for (size_t i = 0; i < sizeof back; i++) assert_int_equal(back[i], i % 4 < 2 ? 1 : 5);
    rows.dst_type = TN_CU_MEMORY_UNIFIED;
    rows.dst_device = address_of(back);
    assert_cu(cuMemcpy2DAsync_v2(&rows, stream), TN_CU_INVALID_VALUE); // nobody knows it
    rows.dst_type = TN_CU_MEMORY_HOST;
    rows.src_pitch = 3;
    assert_cu(cuMemcpy2DAsync_v2(&rows, stream), TN_CU_INVALID_VALUE);
    assert_good(cuMemFree_v2(address));
    assert_good(cuStreamDestroy_v2(stream));
}

static void memory_of_a_pool_comes_and_goes_in_stream_order(void **state) {
    const struct scene *scene = *state;
    struct gate gate = {0};
    tn_cu_pool pool = NULL;
    tn_cu_stream stream = NULL;
    tn_cu_address address = 0;
    unsigned long long threshold = 1 << 20;
    tn_cu_access peer = {{TN_CU_LOCATION_DEVICE, 1}, TN_CU_ACCESS_READ_WRITE};
    assert_good(cuStreamCreate(&stream, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuDeviceGetDefaultMemPool(&pool, 0));
    assert_good(cuMemPoolSetAttribute(pool, TN_CU_POOL_RELEASE_THRESHOLD, &threshold));
    assert_good(cuMemAllocAsync(&address, 1000, stream));
    assert_good(cuMemPoolSetAccess(pool, &peer, 1));
    assert_good(cuLaunchHostFunc(stream, pass_gate, &gate));
    assert_good(cuMemsetD8Async(address, 1, 1000, stream));
    assert_good(cuMemFreeAsync(address, stream));
    assert_cu(cuMemFreeAsync(address, stream), TN_CU_INVALID_VALUE);
    atomic_store(&gate.open, true);
    assert_good(cuStreamSynchronize(stream)); // the fill came before the free
    assert_good(cuMemPoolTrimTo(pool, 0));
    assert_good(cuMemAlloc_v2(&address, 100));
    assert_cu(cuMemFreeAsync(address, stream), TN_CU_INVALID_VALUE); // not of a pool
    assert_good(cuMemFree_v2(address));
    assert_good(cuMemAllocFromPoolAsync(&address, 1000, pool, stream));
    assert_good(cuMemFree_v2(address));
    peer.flags = TN_CU_ACCESS_NONE;
    assert_good(cuMemPoolSetAccess(pool, &peer, 1));
    peer.location.id = 0;
    assert_cu(cuMemPoolSetAccess(pool, &peer, 1), TN_CU_INVALID_VALUE); // the owner
    assert_cu(cuMemPoolDestroy(pool), TN_CU_INVALID_VALUE);             // the default one
    (void)scene;
    assert_good(cuStreamDestroy_v2(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENE_TEST(streams_are_handles_of_their_context),
        SCENE_TEST(pageable_memory_is_copied_while_the_caller_waits),
        SCENE_TEST(the_null_stream_and_blocking_streams_wait_for_each_other),
        SCENE_TEST(rows_are_copied_and_filled),
        SCENE_TEST(memory_of_a_pool_comes_and_goes_in_stream_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
