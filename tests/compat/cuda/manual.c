// SPDX-License-Identifier: Apache-2.0
// Conditions that NVIDIA's manual of CUDA 13.0 states: a table with one test for each row. The source is
// the page of the function unless an H100 has answered, whose answer counts. "not named": the manual
// refuses without a code, and the code is that of the nearest function. Each row asks both APIs.
#include "support/cuda.h"

enum { BYTES = 1 << 16, ROW = 16, PITCH = 128 };

// ---- what the questions use

static cudaStream_t stream;
static CUcontext ctx;
static char *memory, *more, *managed, *pinned, *far; // of the device, the host, and the last device
static cudaEvent_t event;
static cudaMemPool_t far_pool;
static int last_device;

static void begin_world(void) {
    cuda_begin();
    last_device = cuda_last_device();
    assert_cuda_ok(cudaStreamCreate(&stream));
    assert_cuda_ok(cudaEventCreate(&event));
    assert_cu_ok(cuCtxGetCurrent(&ctx));
    assert_cuda_ok(cudaMalloc((void **)&memory, BYTES));
    assert_cuda_ok(cudaMalloc((void **)&more, BYTES));
    assert_cuda_ok(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal));
    assert_cuda_ok(cudaMallocHost((void **)&pinned, BYTES));
    assert_cuda_ok(cudaDeviceGetDefaultMemPool(&far_pool, last_device));
    assert_cuda_ok(cudaSetDevice(last_device));
    assert_cuda_ok(cudaMalloc((void **)&far, BYTES));
    assert_cuda_ok(cudaSetDevice(0));
}

static void end_world(void) {
    assert_cuda_ok(cudaDeviceSynchronize());
    (void)cudaGetLastError();
    assert_cuda_ok(cudaFree(far));
    assert_cuda_ok(cudaFreeHost(pinned));
    assert_cuda_ok(cudaFree(managed));
    assert_cuda_ok(cudaFree(more));
    assert_cuda_ok(cudaFree(memory));
    assert_cuda_ok(cudaEventDestroy(event));
    assert_cuda_ok(cudaStreamDestroy(stream));
}

static CUdeviceptr at(const void *ptr) { return (CUdeviceptr)(uintptr_t)ptr; }

// ---- hints about managed memory

#define DEVICE       1
#define HOST         2
#define NODE         3
#define CURRENT_NODE 4

static int prefetch(bool driver, int type, int id) {
    const CUmemLocation place = {(CUmemLocationType)type, id};
    return driver ? (int)cuMemPrefetchAsync(at(managed), BYTES, place, 0, stream)
                  : (int)cudaMemPrefetchAsync(managed, BYTES, place, 0, stream);
}

static int advise(bool driver, int advice, int type, int id) {
    const CUmemLocation place = {(CUmemLocationType)type, id};
    return driver ? (int)cuMemAdvise(at(managed), BYTES, (CUmem_advise)advice, place)
                  : (int)cudaMemAdvise(managed, BYTES, (enum cudaMemoryAdvise)advice, place);
}

enum list { PREFETCHES, DISCARDS, BOTH };

// A list of three ranges. `runs` locations begin at the ranges `second` and `third` and at 0.
static int call_list(bool driver, enum list list, size_t runs, size_t second, size_t third,
                     void *on) {
    void *ptrs[] = {managed, managed + 4096, managed + 8192};
    CUdeviceptr numbers[] = {at(managed), at(managed + 4096), at(managed + 8192)};
    size_t sizes[] = {4096, 4096, 4096};
    size_t first[] = {0, second, third};
    CUmemLocation places[] = {{DEVICE, 0}, {HOST, 0}, {DEVICE, 0}};
    if (list == DISCARDS)
        return driver ? (int)cuMemDiscardBatchAsync(numbers, sizes, 3, 0, on)
                      : (int)cudaMemDiscardBatchAsync(ptrs, sizes, 3, 0, on);
    if (list == BOTH)
        return driver ? (int)cuMemDiscardAndPrefetchBatchAsync(numbers, sizes, 3, places, first,
                                                               runs, 0, on)
                      : (int)cudaMemDiscardAndPrefetchBatchAsync(ptrs, sizes, 3, places, first,
                                                                 runs, 0, on);
    return driver ? (int)cuMemPrefetchBatchAsync(numbers, sizes, 3, places, first, runs, 0, on)
                  : (int)cudaMemPrefetchBatchAsync(ptrs, sizes, 3, places, first, runs, 0, on);
}

// ---- lists of copies

static int copy_list(bool driver, void *on) {
    CUdeviceptr dsts[] = {at(memory)}, srcs[] = {at(more)};
    void *to[] = {memory};
    const void *from[] = {more};
    size_t sizes[] = {64}, first[] = {0};
    CUmemcpyAttributes order = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    struct cudaMemcpyAttributes same = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    return driver ? (int)cuMemcpyBatchAsync(dsts, srcs, sizes, 1, &order, first, 1, on)
                  : (int)cudaMemcpyBatchAsync(to, from, sizes, 1, &same, first, 1, on);
}

static int copy_boxes(bool driver, unsigned order, size_t rows, void *on) {
    CUDA_MEMCPY3D_BATCH_OP box = {
        .src = {CU_MEMCPY_OPERAND_TYPE_POINTER, {.ptr = {.ptr = at(more)}}},
        .dst = {CU_MEMCPY_OPERAND_TYPE_POINTER, {.ptr = {.ptr = at(memory)}}},
        .extent = {ROW, rows, 1},
        .srcAccessOrder = (CUmemcpySrcAccessOrder)order};
    struct cudaMemcpy3DBatchOp same;
    memcpy(&same, &box, sizeof same);
    return driver ? (int)cuMemcpy3DBatchAsync(1, &box, 0, on)
                  : (int)cudaMemcpy3DBatchAsync(1, &same, 0, on);
}

// ---- devices and events

static int choose_pool(bool driver, bool by_place) {
    CUmemLocation place = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    if (last_device == 0) return 1; // there is no other device
    if (by_place)
        return driver ? (int)cuMemSetMemPool(&place, CU_MEM_ALLOCATION_TYPE_PINNED, far_pool)
                      : (int)cudaMemSetMemPool(&place, cudaMemAllocationTypePinned, far_pool);
    return driver ? (int)cuDeviceSetMemPool(0, far_pool) : (int)cudaDeviceSetMemPool(0, far_pool);
}

// ---- the table

#define ROW_LIST(ASK)                                                                              \
    /* cudaMemPrefetchAsync, cudaMemPrefetchBatchAsync, cudaMemDiscardBatchAsync, cudaMemAdvise */ \
    ASK(a_prefetch_to_the_host_ignores_the_id, 0, prefetch(driver, HOST, 77))                      \
    ASK(a_prefetch_to_the_current_node_ignores_the_id, 0, prefetch(driver, CURRENT_NODE, 77))      \
    ASK(a_prefetch_to_a_node, 0, prefetch(driver, NODE, 0))                                        \
    ASK(a_prefetch_to_a_node_that_does_not_exist, 1, prefetch(driver, NODE, 500)) /* not named */  \
    ASK(a_prefetch_to_a_negative_node, 1, prefetch(driver, NODE, -1))             /* not named */  \
    ASK(a_prefetch_to_a_device_that_does_not_exist, 101, prefetch(driver, DEVICE, 99)) /* H100 */  \
    ASK(a_list_of_prefetches, 0, call_list(driver, PREFETCHES, 3, 1, 2, stream))                   \
    ASK(locations_that_begin_at_the_same_range, 1, call_list(driver, PREFETCHES, 2, 0, 0, stream)) \
    ASK(locations_that_are_not_in_order, 1, call_list(driver, PREFETCHES, 3, 2, 1, stream))        \
    ASK(a_location_that_begins_behind_the_list, 1, call_list(driver, PREFETCHES, 2, 9, 0, stream)) \
    ASK(more_locations_than_ranges, 1, call_list(driver, PREFETCHES, 4, 1, 2, stream))             \
    ASK(locations_out_of_order_after_a_discard, 1, call_list(driver, BOTH, 3, 2, 1, stream))       \
    ASK(a_list_of_prefetches_on_null, 1, call_list(driver, PREFETCHES, 1, 0, 0, NULL))             \
    ASK(a_list_of_prefetches_on_the_legacy_stream, 1,                                              \
        call_list(driver, PREFETCHES, 1, 0, 0, CU_STREAM_LEGACY))                                  \
    ASK(a_list_of_prefetches_on_the_stream_of_the_thread, 0,                                       \
        call_list(driver, PREFETCHES, 1, 0, 0, CU_STREAM_PER_THREAD))                              \
    ASK(a_list_of_discards_on_null, 1, call_list(driver, DISCARDS, 0, 0, 0, NULL))                 \
    ASK(a_list_of_both_on_null, 1, call_list(driver, BOTH, 1, 0, 0, NULL))                         \
    ASK(memory_accessed_by_the_host, 0, advise(driver, 5, HOST, 9))                                \
    ASK(memory_accessed_by_a_node, 1, advise(driver, 5, NODE, 0))                                  \
    ASK(memory_accessed_by_the_current_node, 1, advise(driver, 5, CURRENT_NODE, 0))                \
    ASK(memory_accessed_by_a_node_no_longer, 1, advise(driver, 6, NODE, 0))                        \
    ASK(memory_preferred_on_a_node, 0, advise(driver, 3, NODE, 0))                                 \
    ASK(memory_preferred_on_a_node_that_does_not_exist, 1, advise(driver, 3, NODE, 500))           \
    ASK(advice_about_reading_ignores_the_location, 0, advise(driver, 1, 0, 99))                    \
    ASK(an_end_of_preference_ignores_the_location, 0, advise(driver, 4, 77, 0))                    \
    /* cudaMemcpyBatchAsync, cudaMemcpy3DBatchAsync */                                             \
    ASK(a_list_of_copies, 0, copy_list(driver, stream))                                            \
    ASK(a_list_of_copies_on_null, 1, copy_list(driver, NULL))                                      \
    ASK(a_list_of_boxes, 0, copy_boxes(driver, 1, 2, stream))                                      \
    ASK(a_list_of_boxes_on_null, 1, copy_boxes(driver, 1, 2, NULL))                                \
    ASK(a_list_of_boxes_on_the_legacy_stream, 1, copy_boxes(driver, 1, 2, CU_STREAM_LEGACY))       \
    ASK(a_box_without_an_order, 1, copy_boxes(driver, 0, 2, stream))                               \
    ASK(a_box_of_an_unknown_order, 1, copy_boxes(driver, 4, 2, stream))                            \
    ASK(a_box_without_rows, 1, copy_boxes(driver, 1, 0, stream))                                   \
    /* cudaDeviceSetMemPool, cudaMemSetMemPool: the pool is local to the device */                 \
    ASK(a_pool_of_another_device, 1, choose_pool(driver, false))                                   \
    ASK(a_pool_of_another_location, 1, choose_pool(driver, true))                                  \
    /* The manual names 1 or nothing, and an H100 answers otherwise. */                            \
    ASK(an_external_wait_outside_of_a_capture, 401,                                                \
        driver ? (int)cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL)                     \
               : (int)cudaStreamWaitEvent(stream, event, cudaEventWaitExternal))                   \
    ASK(an_external_record_outside_of_a_capture, 401,                                              \
        driver ? (int)cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL)              \
               : (int)cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal))            \
    ASK(unknown_flags_of_cudaInitDevice, 0, (int)cudaInitDevice(0, 0, 99))

#define FUNCTION(name, want, call)                                                                 \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        begin_world();                                                                             \
        for (int driver = 0; driver < 2; driver++) {                                               \
            int got = (call);                                                                      \
            if (got != (want)) print_error("%s API: %s\n", driver ? "driver" : "runtime", #call);  \
            assert_int_equal(got, want);                                                           \
        }                                                                                          \
        end_world();                                                                               \
    }
#define TEST(name, want, call) cmocka_unit_test(name),

ROW_LIST(FUNCTION)

int main(void) {
    const struct CMUnitTest tests[] = {ROW_LIST(TEST)};
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
