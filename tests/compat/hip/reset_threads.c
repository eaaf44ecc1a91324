// SPDX-License-Identifier: Apache-2.0
// hipDeviceReset() beside threads that use the device. Their calls succeed or fail by an error, and
// what they left is freed once. Meant for ThreadSanitizer too.
#include "support/hip.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 120, BYTES = 5000 };

static _Atomic(int) running;

static void use_pool(hipStream_t stream) {
    void *block = NULL, *kept = NULL;
    if (hipMallocAsync(&block, BYTES, stream) != hipSuccess) return;
    (void)hipMemsetAsync(block, 1, BYTES, stream);
    (void)hipMallocAsync(&kept, BYTES, stream); // the reset frees it
    (void)hipFreeAsync(block, stream);
}

static void use_own_pool(hipStream_t stream) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    hipMemPool_t pool = NULL;
    void *block = NULL;
    if (hipMemPoolCreate(&pool, &props) != hipSuccess) return;
    (void)hipMallocFromPoolAsync(&block, BYTES, pool, stream);
    (void)hipMemPoolDestroy(pool); // the block keeps it
    (void)hipFreeAsync(block, stream);
}

static void use_memory(void) {
    void *block = NULL, *managed = NULL, *host = NULL;
    hipArray_t array = NULL;
    const hipChannelFormatDesc format =
        hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
    (void)hipMalloc(&block, BYTES);
    (void)hipMallocManaged(&managed, BYTES, hipMemAttachGlobal);
    (void)hipHostMalloc(&host, BYTES, 0);
    (void)hipMallocArray(&array, &format, 16, 16, 0);
    (void)hipMemset(block, 1, BYTES);
    (void)hipFreeArray(array);
    (void)hipFree(managed);
    (void)hipHostFree(host);
    (void)hipFree(block);
}

static void count_call(void *calls) { (void)atomic_fetch_add((_Atomic(int) *)calls, 1); }

static void use_events(hipStream_t stream) {
    static _Atomic(int) calls;
    hipEvent_t event = NULL;
    if (hipEventCreate(&event) != hipSuccess) return;
    (void)hipEventRecord(event, stream);
    (void)hipStreamWaitEvent(NULL, event, 0);
    (void)hipLaunchHostFunc(stream, count_call, &calls);
    (void)hipEventSynchronize(event);
    (void)hipEventDestroy(event);
}

static void use_graph(hipStream_t stream) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t node = NULL;
    if (hipGraphCreate(&graph, 0) != hipSuccess) return;
    (void)hipGraphAddEmptyNode(&node, graph, NULL, 0);
    if (hipGraphInstantiate(&exec, graph, NULL, NULL, 0) == hipSuccess) {
        (void)hipGraphLaunch(exec, stream);
        (void)hipGraphExecDestroy(exec);
    }
    (void)hipGraphDestroy(graph);
}

static void *use_device(void *arg) {
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        hipStream_t stream = NULL; // the NULL stream, every other time
        if (i % 2 == 0) (void)hipStreamCreate(&stream);
        hipStream_t streams[] = {stream, NULL, hipStreamPerThread};
        hipStream_t on = streams[i % 3];
        use_pool(on);
        use_own_pool(on);
        use_memory();
        use_events(on);
        use_graph(on);
        (void)hipStreamSynchronize(on);
        if (stream != NULL) (void)hipStreamDestroy(stream);
        (void)hipGetLastError();
    }
    (void)atomic_fetch_sub(&running, 1);
    return NULL;
}

static size_t free_memory(void) {
    size_t free_bytes = 0, total = 0;
    assert_hip_ok(hipMemGetInfo(&free_bytes, &total));
    return free_bytes;
}

static void a_reset_beside_other_threads_frees_all_once(void **state) {
    pthread_t threads[THREADS];
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip(); // it reports, rightly, that a thread uses a block which the reset has freed
#endif
    size_t before = free_memory();
    atomic_store(&running, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_device, NULL), 0);
    while (atomic_load(&running) > 0) assert_hip_ok(hipDeviceReset());
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_hip_ok(hipDeviceReset());
    assert_int_equal(free_memory(), before);
}

static void a_reset_renews_the_null_stream(void **state) {
    void *block = NULL;
    (void)state;
    assert_hip_ok(hipMalloc(&block, BYTES));
    assert_hip_ok(hipMemsetAsync(block, 1, BYTES, NULL));
    assert_hip_ok(hipDeviceReset());
    assert_hip(hipFree(block), hipErrorInvalidValue);
    assert_hip_ok(hipMalloc(&block, BYTES));
    assert_hip_ok(hipMemsetAsync(block, 2, BYTES, NULL));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_hip_ok(hipFree(block));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_beside_other_threads_frees_all_once),
        cmocka_unit_test(a_reset_renews_the_null_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
