// SPDX-License-Identifier: Apache-2.0
// Streams, events and functions of the program in stream order.
#include <pthread.h>
#include <stdlib.h>

#include "support/cuda.h"

static void wait_for_flag(void *flag) {
    while (!__atomic_load_n((int *)flag, __ATOMIC_ACQUIRE)) {
    }
}

// A stream whose work does not end before the gate opens.
struct busy {
    cudaStream_t stream;
    int open;
};

static void busy_begin(struct busy *busy, unsigned flags) {
    busy->open = 0;
    assert_cuda_ok(cudaStreamCreateWithFlags(&busy->stream, flags));
    assert_cuda_ok(cudaLaunchHostFunc(busy->stream, wait_for_flag, &busy->open));
}

static void busy_end(struct busy *busy) {
    __atomic_store_n(&busy->open, 1, __ATOMIC_RELEASE);
    assert_cuda_ok(cudaStreamSynchronize(busy->stream));
    assert_cuda_ok(cudaStreamDestroy(busy->stream));
}

// 68
static void a_query_that_is_not_ready_leaves_the_last_error(void **state) {
    struct busy busy;
    cudaEvent_t event = NULL;
    (void)state;
    busy_begin(&busy, cudaStreamNonBlocking);
    assert_cuda_ok(cudaEventCreate(&event));
    assert_cuda_ok(cudaEventRecord(event, busy.stream));
    assert_cuda(cudaEventQuery(event), 600);
    assert_cuda_ok(cudaGetLastError());
    assert_cuda(cudaStreamQuery(busy.stream), 600);
    assert_cuda_ok(cudaGetLastError());
    assert_cu(cuStreamQuery(busy.stream), 600);
    assert_cuda(cudaStreamCreateWithFlags(&(cudaStream_t){NULL}, 8), 1);
    assert_cuda(cudaStreamQuery(busy.stream), 600);
    assert_cuda(cudaGetLastError(), 1);
    busy_end(&busy);
    assert_cuda_ok(cudaEventQuery(event));
    assert_cuda_ok(cudaEventDestroy(event));
}

// 69
static void times_need_two_recorded_events_with_timing(void **state) {
    cudaEvent_t plain = NULL;
    cudaEvent_t silent = NULL;
    float ms = -1;
    (void)state;
    assert_cuda_ok(cudaEventCreate(&plain));
    assert_cuda_ok(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming));
    assert_cuda_ok(cudaEventQuery(plain));
    assert_cuda_ok(cudaEventSynchronize(plain));
    assert_cuda(cudaEventElapsedTime(&ms, plain, plain), 400);
    assert_cuda_ok(cudaEventRecord(plain, NULL));
    assert_cuda_ok(cudaEventRecord(silent, NULL));
    assert_cuda_ok(cudaEventSynchronize(silent));
    assert_cuda(cudaEventElapsedTime(&ms, plain, silent), 400);
    assert_cuda_ok(cudaEventElapsedTime(&ms, plain, plain));
    assert_true(ms >= 0);
    assert_cuda(cudaEventElapsedTime(NULL, plain, plain), 400);
    assert_cuda(cudaEventRecordWithFlags(plain, NULL, cudaEventRecordExternal), 401);
    assert_cuda(cudaStreamWaitEvent(NULL, plain, cudaEventWaitExternal), 401);
    assert_cuda_ok(cudaEventDestroy(plain));
    assert_cuda(cudaEventDestroy(plain), 400);
    assert_cuda_ok(cudaEventDestroy(silent));
    (void)cudaGetLastError();
}

static void open_gate_later(void *gate) { __atomic_store_n((int *)gate, 1, __ATOMIC_RELEASE); }

// 70
static void legacy_work_waits_for_blocking_streams_only(void **state) {
    struct busy busy;
    cudaStream_t blocking = NULL;
    int copy = 0;
    void *memory = NULL;
    (void)state;
    assert_cuda_ok(cudaMalloc(&memory, sizeof copy));
    assert_cuda_ok(cudaStreamCreate(&blocking));
    busy_begin(&busy, cudaStreamNonBlocking);
    assert_cuda_ok(cudaMemsetAsync(memory, 7, sizeof copy, blocking));
    assert_cuda_ok(cudaMemcpy(&copy, memory, sizeof copy, cudaMemcpyDeviceToHost));
    assert_int_equal(copy, 0x07070707);
    assert_cuda(cudaStreamQuery(busy.stream), 600);
    (void)cudaGetLastError();
    busy_end(&busy);
    assert_cuda_ok(cudaStreamDestroy(blocking));
    assert_cuda_ok(cudaFree(memory));
}

// The wait for the second stream would never end if the allocations ordered it behind the busy one.
static void an_allocation_orders_no_streams(void **state) {
    struct busy busy;
    cudaStream_t second = NULL;
    void *memory = NULL, *pinned = NULL;
    (void)state;
    assert_cuda_ok(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    busy_begin(&busy, cudaStreamNonBlocking);
    assert_cuda_ok(cudaMalloc(&memory, 64));
    assert_cuda_ok(cudaMallocHost(&pinned, 64));
    assert_cuda_ok(cudaMemsetAsync(memory, 7, 64, second));
    assert_cuda_ok(cudaStreamSynchronize(second));
    assert_cuda(cudaStreamQuery(busy.stream), 600);
    (void)cudaGetLastError();
    busy_end(&busy);
    assert_cuda_ok(cudaStreamDestroy(second));
    assert_cuda_ok(cudaFreeHost(pinned));
    assert_cuda_ok(cudaFree(memory));
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void *arg);
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream);

static void *open_by_own_stream(void *gate) {
    assert_cuda_ok(cudaLaunchHostFunc_ptsz(NULL, open_gate_later, gate));
    assert_cuda_ok(cudaStreamSynchronize_ptsz(NULL));
    return NULL;
}

// 71
static void the_null_streams_of_two_threads_have_no_order(void **state) {
    pthread_t other;
    int gate = 0;
    (void)state;
    if (getenv("TARN_SEED") != NULL) skip(); // host functions may run one after another
    assert_cuda_ok(cudaLaunchHostFunc_ptsz(NULL, wait_for_flag, &gate));
    assert_int_equal(pthread_create(&other, NULL, open_by_own_stream, &gate), 0);
    assert_cuda_ok(cudaStreamSynchronize_ptsz(NULL));
    assert_int_equal(pthread_join(other, NULL), 0);
}

// 72
static void the_streams_of_every_program_cannot_be_destroyed(void **state) {
    cudaStream_t stream = NULL;
    (void)state;
    assert_cuda(cudaStreamDestroy(NULL), 400);
    assert_cuda(cudaStreamDestroy(cudaStreamLegacy), 400);
    assert_cuda(cudaStreamDestroy(cudaStreamPerThread), 400);
    assert_cuda_ok(cudaStreamCreate(&stream));
    assert_cuda_ok(cudaStreamDestroy(stream));
    assert_cuda(cudaStreamDestroy(stream), 400);
    assert_cuda(cudaStreamSynchronize(stream), 400);
    (void)cudaGetLastError();
}

struct inner {
    cudaError_t alloc;
    cudaError_t last;
    CUresult wait;
    CUresult count;
};

static void call_inside(void *arg) {
    struct inner *inner = (struct inner *)arg;
    void *memory = NULL;
    inner->alloc = cudaMalloc(&memory, 64);
    inner->last = cudaGetLastError();
    inner->wait = cuStreamSynchronize(NULL);
    int devices = 0;
    inner->count = cuDeviceGetCount(&devices);
}

// 73
static void functions_in_stream_order_call_nothing(void **state) {
    struct inner inner = {cudaSuccess, cudaSuccess, CUDA_SUCCESS, CUDA_SUCCESS};
    (void)state;
    assert_cuda_ok(cudaLaunchHostFunc(NULL, call_inside, &inner));
    assert_cuda_ok(cudaDeviceSynchronize());
    assert_int_equal(inner.alloc, 800);
    assert_int_equal(inner.last, 800);
    assert_int_equal(inner.wait, 800);
    assert_int_equal(inner.count, 800);
}

static void flags_of_streams_come_back(void **state) {
    cudaStream_t stream = NULL;
    unsigned flags = 9;
    int priority = 9;
    int least = -9;
    int greatest = 9;
    CUcontext current = NULL, ctx = NULL;
    (void)state;
    assert_cuda_ok(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    assert_int_equal(least, 0);
    assert_int_equal(greatest, -5);
    assert_cuda_ok(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    assert_cuda_ok(cudaStreamGetFlags(stream, &flags));
    assert_int_equal(flags, cudaStreamNonBlocking);
    assert_cu_ok(cuStreamGetPriority(stream, &priority));
    assert_int_equal(priority, greatest);
    assert_cu_ok(cuCtxGetCurrent(&current));
    assert_cu_ok(cuStreamGetCtx(stream, &ctx));
    assert_ptr_equal(ctx, current);
    assert_cu_ok(cuStreamGetCtx(NULL, &ctx));
    assert_ptr_equal(ctx, current);
    assert_cu(cuStreamGetCtx(stream, NULL), 1);
    assert_cuda_ok(cudaStreamGetFlags(NULL, &flags));
    assert_int_equal(flags, 0);
    assert_cuda_ok(cudaStreamDestroy(stream));
    assert_cuda(cudaStreamCreateWithFlags(&stream, 8), 1);
    (void)cudaGetLastError();
}

static void values_in_memory_order_streams(void **state) {
    CUstream waits = NULL;
    CUstream writes = NULL;
    CUdeviceptr word = 0;
    (void)state;
    assert_cu_ok(cuMemAlloc(&word, 8));
    assert_cu_ok(cuMemsetD8(word, 0, 8));
    assert_cu_ok(cuStreamSynchronize(NULL)); // which other streams do not wait for
    assert_cu_ok(cuStreamCreate(&waits, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuStreamCreate(&writes, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuStreamWaitValue32(waits, word, 5, CU_STREAM_WAIT_VALUE_GEQ));
    assert_cu(cuStreamQuery(waits), 600);
    assert_cu_ok(cuStreamWriteValue32(writes, word, 6, 0));
    assert_cu_ok(cuStreamSynchronize(waits));
    assert_cu(cuStreamWriteValue32(writes, word, 6, 0x100), 1);
    assert_cu_ok(cuStreamBatchMemOp(writes, 0, (CUstreamBatchMemOpParams *)&word, 0));
    assert_cu_ok(cuStreamDestroy(waits));
    assert_cu_ok(cuStreamDestroy(writes));
    assert_cu_ok(cuMemFree(word));
}

// Section 6. The device is another one if there is one, so that it is reset alone.
static void a_failure_of_work_lasts_until_the_device_is_reset(void **state) {
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                .location = {CU_MEM_LOCATION_TYPE_DEVICE, cuda_last_device()}};
    const CUmemAccessDesc desc = {prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr at = 0;
    struct busy busy;
    void *memory = NULL;
    (void)state;
    assert_cuda_ok(cudaSetDevice(prop.location.id));
    assert_cu_ok(cuMemAddressReserve(&at, G, 0, 0, 0));
    assert_cu_ok(cuMemCreate(&handle, G, &prop, 0));
    assert_cu_ok(cuMemMap(at, G, 0, handle, 0));
    assert_cu_ok(cuMemRelease(handle));
    assert_cu_ok(cuMemSetAccess(at, G, &desc, 1));
    busy_begin(&busy, cudaStreamNonBlocking);
    assert_cu_ok(cuMemsetD8Async(at, 1, G, busy.stream));
    assert_cu_ok(cuMemUnmap(at, G));
    __atomic_store_n(&busy.open, 1, __ATOMIC_RELEASE);
    assert_cuda(cudaStreamSynchronize(busy.stream), 700);
    assert_cuda(cudaMalloc(&memory, 64), 700);
    assert_cuda(cudaDeviceSynchronize(), 700);
    assert_cu(cuCtxSynchronize(), 700);
    assert_cu_ok(cuMemAddressFree(at, G));
    assert_cuda_ok(cudaDeviceReset());
    assert_cuda(cudaGetLastError(), 700);
    assert_cuda_ok(cudaMalloc(&memory, 64));
    assert_cuda_ok(cudaFree(memory));
    assert_cuda_ok(cudaSetDevice(0));
}

static int begin(void **state) {
    if (cuda_group_setup(state) != 0) return -1;
    cuda_begin();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_that_is_not_ready_leaves_the_last_error),
        cmocka_unit_test(times_need_two_recorded_events_with_timing),
        cmocka_unit_test(legacy_work_waits_for_blocking_streams_only),
        cmocka_unit_test(an_allocation_orders_no_streams),
        cmocka_unit_test(the_null_streams_of_two_threads_have_no_order),
        cmocka_unit_test(the_streams_of_every_program_cannot_be_destroyed),
        cmocka_unit_test(functions_in_stream_order_call_nothing),
        cmocka_unit_test(flags_of_streams_come_back),
        cmocka_unit_test(values_in_memory_order_streams),
        cmocka_unit_test(a_failure_of_work_lasts_until_the_device_is_reset),
    };
    return cmocka_run_group_tests(tests, begin, cuda_group_end);
}
