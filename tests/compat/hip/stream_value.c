// SPDX-License-Identifier: Apache-2.0
// hipStreamWaitValue32 and 64, hipStreamWriteValue32 and 64.
#include <stdatomic.h>
#include <unistd.h>

#include "support/hip.h"

static hipStream_t make_stream(void) {
    hipStream_t stream = NULL;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    return stream;
}

static void *pinned(void) {
    void *ptr = NULL;
    assert_hip_ok(hipHostMalloc(&ptr, 4096, hipHostMallocDefault));
    memset(ptr, 0, 4096);
    return ptr;
}

static void a_stream_waits_until_the_cpu_stores_the_value(void **state) {
    (void)state;
    _Atomic uint32_t *word = pinned();
    hipStream_t stream = make_stream();
    unsigned char *memory = NULL;
    unsigned char back = 0;
    assert_hip_ok(hipMalloc((void **)&memory, 64));
    assert_hip_ok(hipMemset(memory, 1, 64));
    assert_hip_ok(hipDeviceSynchronize()); // the stream does not wait for the null stream
    assert_hip_ok(hipStreamWaitValue32(stream, (void *)(uintptr_t)word, 5, hipStreamWaitValueGte,
                                       UINT32_MAX));
    assert_hip_ok(hipMemsetAsync(memory, 2, 64, stream));
    (void)usleep(3000);
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    atomic_store(word, 4);
    (void)usleep(3000);
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    atomic_store(word, 6);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_hip_ok(hipMemcpy(&back, memory, 1, hipMemcpyDeviceToHost));
    assert_int_equal(back, 2);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipFree(memory));
    assert_hip_ok(hipHostFree((void *)(uintptr_t)word));
}

static void a_value_written_in_one_stream_frees_another(void **state) {
    (void)state;
    hipStream_t first = make_stream();
    hipStream_t second = make_stream();
    uint64_t *word = NULL;
    uint64_t back = 0;
    assert_hip_ok(hipMalloc((void **)&word, 64));
    assert_hip_ok(hipMemset(word, 0, 64));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(
        hipStreamWaitValue64(second, word, UINT64_C(7) << 40, hipStreamWaitValueEq, UINT64_MAX));
    assert_hip(hipStreamQuery(second), hipErrorNotReady);
    assert_hip_ok(hipStreamWriteValue64(first, word, UINT64_C(7) << 40, 0));
    assert_hip_ok(hipStreamSynchronize(second));
    assert_hip_ok(hipMemcpy(&back, word, 8, hipMemcpyDeviceToHost));
    assert_true(back == UINT64_C(7) << 40);
    assert_hip_ok(hipStreamWriteValue32(first, word, 9, 0xffff)); // flags are ignored
    assert_hip_ok(hipStreamSynchronize(first));
    assert_hip_ok(hipMemcpy(&back, word, 8, hipMemcpyDeviceToHost));
    assert_true(back == (UINT64_C(7) << 40 | 9)); // 4 bytes
    assert_hip_ok(hipStreamDestroy(first));
    assert_hip_ok(hipStreamDestroy(second));
    assert_hip_ok(hipFree(word));
}

struct condition {
    unsigned flags;
    uint64_t value;
    uint64_t mask;
    uint64_t before; // does not hold
    uint64_t after;  // holds
};

static void each_condition_is_that_of_hip(void **state) {
    (void)state;
    static const struct condition conditions[] = {
        {hipStreamWaitValueGte, 0x80000000u, UINT64_MAX, 0x7fffffffu, 0x80000001u}, // no sign
        {hipStreamWaitValueGte, 3, 0xf, 0xf2, 0x13},
        {hipStreamWaitValueEq, 3, 0xf, 0x4, 0xf3},
        {hipStreamWaitValueAnd, 6, UINT64_MAX, 0x9, 0x4},
        {hipStreamWaitValueAnd, 6, 0x2, 0x4, 0x2},
        {hipStreamWaitValueNor, 0xf0, 0xff, 0x0f, 0x0e},
    };
    _Atomic uint64_t *word = pinned();
    hipStream_t stream = make_stream();
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        const struct condition *c = &conditions[i];
        for (int wide = 0; wide < 2; wide++) {
            void *ptr = (void *)(uintptr_t)word;
            atomic_store(word, c->before);
            assert_hip_ok(wide ? hipStreamWaitValue64(stream, ptr, c->value, c->flags, c->mask)
                               : hipStreamWaitValue32(stream, ptr, (uint32_t)c->value, c->flags,
                                                      (uint32_t)c->mask));
            (void)usleep(500);
            assert_hip(hipStreamQuery(stream), hipErrorNotReady);
            atomic_store(word, c->after);
            assert_hip_ok(hipStreamSynchronize(stream));
        }
    }
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree((void *)(uintptr_t)word));
}

// On the smallest machine there are fewer threads than streams here.
static void waiting_streams_do_not_hold_up_others(void **state) {
    (void)state;
    enum { N = 64 };
    _Atomic uint32_t *word = pinned();
    hipStream_t streams[N];
    hipStream_t other = make_stream();
    void *memory = NULL;
    for (int i = 0; i < N; i++) {
        streams[i] = make_stream();
        assert_hip_ok(hipStreamWaitValue32(streams[i], (void *)(uintptr_t)word, 1,
                                           hipStreamWaitValueEq, UINT32_MAX));
    }
    assert_hip_ok(hipMallocAsync(&memory, 8 << 20, other));
    assert_hip_ok(hipMemsetAsync(memory, 3, 8 << 20, other));
    assert_hip_ok(hipFreeAsync(memory, other));
    assert_hip_ok(hipStreamSynchronize(other));
    atomic_store(word, 1);
    for (int i = 0; i < N; i++) {
        assert_hip_ok(hipStreamSynchronize(streams[i]));
        assert_hip_ok(hipStreamDestroy(streams[i]));
    }
    assert_hip_ok(hipStreamDestroy(other));
    assert_hip_ok(hipHostFree((void *)(uintptr_t)word));
}

static void bad_waits_and_writes_are_refused(void **state) {
    (void)state;
    uint64_t on_stack = 0;
    char *memory = NULL;
    hipStream_t dead = make_stream();
    assert_hip_ok(hipStreamDestroy(dead));
    assert_hip_ok(hipMalloc((void **)&memory, 64));
    assert_hip(hipStreamWaitValue32(NULL, NULL, 0, 0, UINT32_MAX), hipErrorInvalidValue);
    assert_hip(hipStreamWaitValue32(NULL, memory, 0, 4, UINT32_MAX), hipErrorInvalidValue);
    assert_hip(hipStreamWaitValue32(NULL, &on_stack, 0, 0, UINT32_MAX), hipErrorInvalidValue);
    assert_hip(hipStreamWaitValue64(NULL, memory + 60, 0, 0, UINT64_MAX), hipErrorInvalidValue);
    assert_hip(hipStreamWriteValue64(NULL, memory + 57, 0, 0), hipErrorInvalidValue);
    assert_hip(hipStreamWriteValue32(NULL, &on_stack, 0, 0), hipErrorInvalidValue);
    assert_hip(hipStreamWriteValue32(NULL, NULL, 0, 0), hipErrorInvalidValue);
    assert_int_not_equal(hipStreamWaitValue32(dead, memory, 0, 0, UINT32_MAX), hipSuccess);
    assert_int_not_equal(hipStreamWriteValue64(dead, memory, 0, 0), hipSuccess);
    assert_hip_ok(hipStreamWaitValue32(NULL, memory, 0, 0, UINT32_MAX)); // v >= 0
    assert_hip_ok(hipStreamWriteValue32(NULL, memory + 60, 1, 0));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipFree(memory));
}

// The address sanitizer reports the wait as what it is: a read of freed memory.
static void memory_that_ends_fails_the_wait(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip();
#endif
    hipStream_t stream = make_stream();
    hipStream_t other = make_stream();
    uint32_t *word = NULL;
    assert_hip_ok(hipMallocAsync((void **)&word, 4096, other));
    assert_hip_ok(hipStreamWriteValue32(other, word, 0, 0));
    assert_hip_ok(hipStreamSynchronize(other));
    assert_hip_ok(hipStreamWaitValue32(stream, word, 1, hipStreamWaitValueEq, UINT32_MAX));
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip_ok(hipFreeAsync(word, other));
    assert_hip_ok(hipStreamSynchronize(other)); // the pool releases the memory
    assert_int_not_equal(hipStreamSynchronize(stream), hipSuccess);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipStreamDestroy(other));
}

static void a_device_says_that_it_can_wait(void **state) {
    (void)state;
    int can = 0;
    assert_hip_ok(hipDeviceGetAttribute(&can, hipDeviceAttributeCanUseStreamWaitValue, 0));
    assert_int_equal(can, 1);
}

static void a_capture_makes_nodes_of_them(void **state) {
    (void)state;
    _Atomic uint32_t *words = pinned();
    hipStream_t stream = make_stream();
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t nodes[2];
    size_t count = 2;
    hipGraphNodeType type = hipGraphNodeTypeEmpty;
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipStreamWaitValue32(stream, (void *)(uintptr_t)&words[0], 1,
                                       hipStreamWaitValueEq, UINT32_MAX));
    assert_hip_ok(hipStreamWriteValue32(stream, (void *)(uintptr_t)&words[1], 5, 0));
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_int_equal(atomic_load(&words[1]), 0);
    assert_hip_ok(hipGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 2);
    assert_hip_ok(hipGraphNodeGetType(nodes[0], &type));
    assert_int_equal(type, hipGraphNodeTypeBatchMemOp);
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    for (int i = 0; i < 3; i++) {
        atomic_store(&words[0], 0);
        atomic_store(&words[1], 0);
        assert_hip_ok(hipGraphLaunch(exec, stream));
        (void)usleep(1000);
        assert_hip(hipStreamQuery(stream), hipErrorNotReady);
        assert_int_equal(atomic_load(&words[1]), 0);
        atomic_store(&words[0], 1);
        assert_hip_ok(hipStreamSynchronize(stream));
        assert_int_equal(atomic_load(&words[1]), 5);
    }
    assert_hip_ok(hipGraphExecDestroy(exec));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree((void *)(uintptr_t)words));
}

static hipStreamBatchMemOpParams batch_op(int operation, void *address, uint64_t value) {
    hipStreamBatchMemOpParams params;
    memset(&params, 0, sizeof params);
    params.waitValue.operation = (hipStreamBatchMemOpType)operation;
    params.waitValue.address = address;
    params.waitValue.value64 = value;
    params.waitValue.flags = operation == hipStreamMemOpWaitValue32 ? hipStreamWaitValueEq : 0;
    return params;
}

static void a_batch_runs_in_its_order(void **state) {
    (void)state;
    _Atomic uint64_t *words = pinned();
    void *at[] = {(void *)(uintptr_t)&words[0], (void *)(uintptr_t)&words[1],
                  (void *)(uintptr_t)&words[2], (void *)(uintptr_t)&words[3]};
    hipStream_t stream = make_stream();
    hipStreamBatchMemOpParams ops[] = {batch_op(hipStreamMemOpWriteValue32, at[0], 1),
                                       batch_op(hipStreamMemOpWaitValue32, at[1], 5),
                                       batch_op(hipStreamMemOpWriteValue64, at[2], 1ull << 40),
                                       batch_op(hipStreamMemOpWaitValue64, at[3], 1ull << 33),
                                       batch_op(hipStreamMemOpWriteValue32, at[0], 2)};
    assert_hip_ok(hipStreamBatchMemOp(stream, 5, ops, 0));
    while (atomic_load(&words[0]) != 1) {
    }
    (void)usleep(1000);
    assert_int_equal(atomic_load(&words[2]), 0);
    atomic_store(&words[1], 5);
    while (atomic_load(&words[2]) != 1ull << 40) {
    }
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    atomic_store(&words[3], 1ull << 33);
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(atomic_load(&words[0]), 2);
    assert_hip_ok(hipStreamDestroy(stream));
    assert_hip_ok(hipHostFree(at[0]));
}

static void a_bad_batch_is_refused_whole(void **state) {
    (void)state;
    enum { MAX = 256 };
    _Atomic uint64_t *word = pinned();
    void *at = (void *)(uintptr_t)word;
    uint64_t on_stack = 0;
    hipStream_t dead = make_stream();
    hipStreamBatchMemOpParams ops[MAX + 1];
    for (int i = 0; i <= MAX; i++)
        ops[i] = batch_op(hipStreamMemOpWriteValue32, at, (uint64_t)i + 1);
    assert_hip_ok(hipStreamDestroy(dead));
    assert_hip(hipStreamBatchMemOp(NULL, 1, NULL, 0), hipErrorInvalidValue);
    assert_hip(hipStreamBatchMemOp(NULL, 1, ops, 1), hipErrorInvalidValue);
    assert_hip(hipStreamBatchMemOp(NULL, 0, ops, 0), hipErrorInvalidValue);
    assert_hip(hipStreamBatchMemOp(NULL, MAX + 1, ops, 0), hipErrorInvalidValue);
    assert_hip(hipStreamBatchMemOp(dead, 1, ops, 0), hipErrorContextIsDestroyed);
    const hipStreamBatchMemOpParams bad[] = {
        batch_op(hipStreamMemOpFlushRemoteWrites, at, 0), batch_op(hipStreamMemOpBarrier, at, 0),
        batch_op(0, at, 0), batch_op(hipStreamMemOpWaitValue32, NULL, 0),
        batch_op(hipStreamMemOpWriteValue64, &on_stack, 0)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ops[1] = bad[i];
        assert_hip(hipStreamBatchMemOp(NULL, 2, ops, 0), hipErrorInvalidValue);
        assert_hip(hipStreamBatchMemOp(dead, 2, ops, 0), hipErrorContextIsDestroyed);
    }
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(atomic_load(word), 0);
    ops[1] = ops[0];
    assert_hip_ok(hipStreamBatchMemOp(NULL, MAX, ops, 0));
    assert_hip_ok(hipStreamSynchronize(NULL));
    assert_int_equal(atomic_load(word), MAX);
    assert_hip_ok(hipHostFree(at));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_waits_until_the_cpu_stores_the_value),
        cmocka_unit_test(a_value_written_in_one_stream_frees_another),
        cmocka_unit_test(each_condition_is_that_of_hip),
        cmocka_unit_test(waiting_streams_do_not_hold_up_others),
        cmocka_unit_test(bad_waits_and_writes_are_refused),
        cmocka_unit_test(memory_that_ends_fails_the_wait),
        cmocka_unit_test(a_device_says_that_it_can_wait),
        cmocka_unit_test(a_capture_makes_nodes_of_them),
        cmocka_unit_test(a_batch_runs_in_its_order),
        cmocka_unit_test(a_bad_batch_is_refused_whole),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
