// SPDX-License-Identifier: Apache-2.0
// Contexts: explicit and primary ones, the stack of a thread, what a context owns, and resets.
#include <pthread.h>

#include "support/cuda.h"

#define MIB ((size_t)1 << 20)

static CUcontext current(void) {
    CUcontext ctx = (CUcontext)&ctx;
    assert_cu_ok(cuCtxGetCurrent(&ctx));
    return ctx;
}

static CUcontext create(unsigned flags, int device) {
    CUcontext ctx = NULL;
    assert_cu_ok(cuCtxCreate(&ctx, NULL, flags, device));
    assert_ptr_equal(current(), ctx);
    return ctx;
}

static int is_active(int device) {
    unsigned flags = 0;
    int active = 7;
    assert_cu_ok(cuDevicePrimaryCtxGetState(device, &flags, &active));
    return active;
}

static CUdeviceptr allocate(size_t size) {
    CUdeviceptr ptr = 0;
    assert_cu_ok(cuMemAlloc(&ptr, size));
    return ptr;
}

static bool is_memory(CUdeviceptr ptr) {
    unsigned type = 0;
    return cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr) == CUDA_SUCCESS;
}

// ---- threads begin without a context

static void use_driver_alone(void *arg) {
    CUcontext ctx = NULL;
    CUcontext again = NULL;
    CUdeviceptr ptr = 7;
    CUdevice device = 7;
    size_t bytes = 0;
    int active = 7;
    (void)arg;
    assert_cu_ok(cuInit(0));
    assert_null(current());                       // 4
    assert_cu(cuMemAlloc(&ptr, 4096), 201);       // 5
    assert_cu(cuMemGetInfo(&bytes, &bytes), 201); // 6
    assert_cu(cuCtxGetDevice(&device), 201);
    assert_cu(cuCtxGetDevice_v2(&device, NULL), 201);
    assert_cu(cuCtxSynchronize(), 201);
    assert_cu(cuCtxPopCurrent(&ctx), 201);
    assert_cu(cuDevicePrimaryCtxRelease(0), 201);    // 9
    assert_cu_ok(cuDevicePrimaryCtxRetain(&ctx, 0)); // 10
    assert_cu_ok(cuDevicePrimaryCtxRetain(&again, 0));
    assert_ptr_equal(ctx, again);
    assert_null(current());
    assert_int_equal(is_active(0), 1);
    assert_cu_ok(cuDevicePrimaryCtxRelease(0));
    assert_cu_ok(cuDevicePrimaryCtxRelease(0));
    assert_int_equal(is_active(0), 0);
    assert_cu(cuDevicePrimaryCtxGetState(0, NULL, &active), 1);
    assert_cu(cuDevicePrimaryCtxRelease(0), 201);
}

static void the_driver_makes_no_context_by_itself(void **state) {
    (void)state;
    cuda_in_child(use_driver_alone, NULL, NULL);
}

static void release_all(void *arg) {
    CUcontext ctx = NULL;
    CUstream stream = NULL;
    CUdeviceptr again = 0;
    size_t before = 0;
    size_t all = 0;
    (void)arg;
    assert_cu_ok(cuInit(0));
    assert_cu_ok(cuDevicePrimaryCtxRetain(&ctx, 0));
    assert_cu_ok(cuCtxSetCurrent(ctx));
    assert_cu_ok(cuMemGetInfo(&before, &all));
    CUdeviceptr ptr = allocate(MIB);
    assert_cu_ok(cuStreamCreate(&stream, 0));
    assert_cu_ok(cuDevicePrimaryCtxRelease(0));
    assert_cu(cuMemAlloc(&again, 16), 709); // the current context has ended
    assert_ptr_equal(current(), ctx);
    assert_cu_ok(cuDevicePrimaryCtxRetain(&ctx, 0));
    assert_cu(cuMemFree(ptr), 1);
    assert_cu(cuStreamQuery(stream), 400);
    assert_int_equal(cuda_free_bytes(), before);
    assert_cu_ok(cuDevicePrimaryCtxRelease(0));
}

static void the_last_release_resets_a_primary_context(void **state) {
    (void)state;
    cuda_in_child(release_all, NULL, NULL);
}

static void use_runtime_first(void *arg) {
    CUcontext primary = NULL;
    int device = 7;
    (void)arg;
    assert_cuda_ok(cudaGetDevice(&device));
    assert_int_equal(device, 0);
    assert_null(current()); // a query makes no context
    assert_cuda_ok(cudaFree(NULL));
    assert_cu_ok(cuDevicePrimaryCtxRetain(&primary, 0));
    assert_ptr_equal(current(), primary);
    int last = cuda_last_device();
    assert_cuda_ok(cudaSetDevice(last)); // 11
    assert_cu_ok(cuDevicePrimaryCtxRetain(&primary, last));
    assert_ptr_equal(current(), primary);
    assert_cu_ok(cuDevicePrimaryCtxRelease(0));
    assert_cu_ok(cuDevicePrimaryCtxRelease(last));
    assert_cu_ok(cuDevicePrimaryCtxRelease(last)); // the runtime's own reference
    assert_cu(cuDevicePrimaryCtxRelease(last), 201);
    assert_int_equal(is_active(last), 0);
    assert_cuda_ok(cudaFree(NULL)); // takes it again
    assert_int_equal(is_active(last), 1);
}

static void the_runtime_takes_the_primary_context(void **state) {
    (void)state;
    cuda_in_child(use_runtime_first, NULL, NULL);
}

// ---- the last error

static void *find_no_error(void *arg) {
    *(int *)arg = (int)cudaGetLastError();
    return NULL;
}

static void the_last_error_is_of_its_thread(void **state) {
    pthread_t thread;
    void *ptr = NULL;
    int error = 77;
    (void)state;
    assert_cuda(cudaSetDevice(7), 101); // 12
    assert_cuda(cudaPeekAtLastError(), 101);
    assert_int_equal(pthread_create(&thread, NULL, find_no_error, &error), 0); // 14
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(error, 0);
    assert_cuda_ok(cudaMalloc(&ptr, 16)); // 13
    assert_cuda_ok(cudaFree(ptr));
    assert_cuda(cudaGetLastError(), 101);
    assert_cuda(cudaGetLastError(), 0);
    assert_cu(cuMemAlloc(&(CUdeviceptr){0}, 0), 1);
    assert_cuda(cudaGetLastError(), 0); // the driver has none
}

// ---- explicit contexts

static void contexts_are_made_pushed_and_popped(void **state) {
    CUcontext popped = NULL;
    CUdevice device = -1;
    (void)state;
    CUcontext below = current();
    CUcontext a = create(0, cuda_last_device());
    CUcontext b = create(0, 0);
    assert_cu_ok(cuCtxPopCurrent(&popped));
    assert_ptr_equal(popped, b);
    assert_ptr_equal(current(), a);
    assert_cu_ok(cuCtxGetDevice(&device));
    assert_int_equal(device, cuda_last_device());
    assert_cu_ok(cuCtxGetDevice_v2(&device, b));
    assert_int_equal(device, 0);
    assert_cu_ok(cuCtxSetCurrent(b)); // replaces the top
    assert_cu_ok(cuCtxPopCurrent(&popped));
    assert_ptr_equal(popped, b);
    assert_ptr_equal(current(), below);
    assert_cu_ok(cuCtxPushCurrent(a));
    assert_cu_ok(cuCtxSetCurrent(NULL));
    assert_ptr_equal(current(), below);
    assert_cu_ok(cuCtxDestroy(a));
    assert_cu_ok(cuCtxDestroy(b));
    assert_cu(cuCtxDestroy(NULL), 1);
    assert_cu(cuCtxPushCurrent(NULL), 1);
    assert_cu(cuCtxDestroy(below), 201); // the primary one
}

static void a_handle_that_is_no_context_is_refused(void **state) {
    CUcontext ended = create(0, 0);
    int number = 0;
    (void)state;
    assert_cu_ok(cuCtxDestroy(ended));
    assert_cu(cuCtxDestroy(ended), 201);
    assert_cu(cuCtxPushCurrent(ended), 201);
    assert_cu(cuCtxSetCurrent((CUcontext)&number), 201);
}

static void a_context_ends_with_its_last_user(void **state) {
    CUcontext same = NULL;
    CUcontext below = current();
    (void)state;
    CUcontext ctx = create(0, 1);
    assert_cu(cuCtxAttach(NULL, 0), 1);
    assert_cu(cuCtxAttach(&same, 1), 1);
    assert_cu_ok(cuCtxAttach(&same, 0));
    assert_ptr_equal(same, ctx);
    CUdeviceptr ptr = allocate(64);
    assert_cu_ok(cuCtxDetach(ctx));
    assert_true(is_memory(ptr));
    assert_cu(cuCtxDetach(below), 201); // not the current one
    assert_cu_ok(cuCtxDetach(ctx));
    assert_ptr_equal(current(), below);
    assert_false(is_memory(ptr));
    assert_cu(cuCtxDetach(ctx), 201);
    assert_cu(cuCtxDetach(NULL), 201);

    ctx = create(0, 0);
    assert_cu_ok(cuCtxAttach(&same, 0));
    assert_cu_ok(cuCtxDestroy(ctx)); // whoever uses it
    assert_cu(cuCtxSetCurrent(ctx), 201);

    assert_cu_ok(cuCtxAttach(&same, 0)); // a user of the primary one
    assert_ptr_equal(same, below);
    assert_cu_ok(cuCtxDetach(below));
    assert_cu_ok(cuDevicePrimaryCtxRelease(0)); // the reference of the runtime
    assert_cu(cuDevicePrimaryCtxRelease(0), 201);
    assert_cuda_ok(cudaFree(NULL)); // which takes it again
}

static void an_event_is_recorded_by_streams_of_its_context(void **state) {
    CUevent event = NULL;
    CUstream stream = NULL;
    CUcontext of_stream = NULL;
    (void)state;
    assert_cu_ok(cuEventCreate(&event, CU_EVENT_DEFAULT));
    CUcontext ctx = create(0, 0);
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    assert_cu_ok(cuStreamGetCtx(stream, &of_stream));
    assert_ptr_equal(of_stream, ctx);
    assert_cu(cuEventRecord(event, stream), 400);
    assert_cu_ok(cuStreamWaitEvent(stream, event, 0));
    CUdeviceptr ptr = allocate(64);
    assert_cu_ok(cuCtxDestroy(ctx));
    assert_false(is_memory(ptr));
    assert_cu_ok(cuEventRecord(event, NULL));
    assert_cu_ok(cuEventDestroy(event));
}

static void memory_of_a_reset_context_is_not_freed(void **state) {
    CUcontext primary = NULL;
    (void)state;
    assert_cu_ok(cuDevicePrimaryCtxRetain(&primary, cuda_last_device()));
    assert_cu_ok(cuCtxPushCurrent(primary));
    CUdeviceptr ptr = allocate(64);
    assert_cu_ok(cuDevicePrimaryCtxReset(cuda_last_device()));
    assert_cu(cuMemFree(ptr), 709);
    CUdevice device = -1;
    unsigned flags = 0;
    assert_cu_ok(cuCtxGetDevice(&device)); // which is still known
    assert_int_equal(device, cuda_last_device());
    assert_cu_ok(cuCtxGetFlags(&flags));
    assert_cu_ok(cuCtxPopCurrent(NULL));
    assert_cu_ok(cuDevicePrimaryCtxRelease(cuda_last_device()));
}

static void every_form_of_creation_makes_one(void **state) {
    CUctxCreateParams params = {NULL, 0, NULL};
    CUcontext ctx = NULL;
    (void)state;
    assert_cu_ok(cuCtxCreate(&ctx, &params, CU_CTX_SCHED_SPIN, 0));
    assert_cu_ok(cuCtxDestroy(ctx));
    params.execAffinityParams = (CUexecAffinityParam *)&ctx;
    params.numExecAffinityParams = 1;
    ctx = NULL;
    assert_cu(cuCtxCreate(&ctx, &params, 0, 0), 224);
    assert_cu(cuCtxCreate(NULL, NULL, 0, 0), 1);
    assert_cu(cuCtxCreate(&ctx, NULL, 0x100, 0), 1);
    assert_cu(cuCtxCreate(&ctx, NULL, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0), 1);
    assert_cu(cuCtxCreate(&ctx, NULL, 0, cuda_last_device() + 1), 101);
    assert_null(ctx);
}

static void a_context_has_flags_an_id_and_a_version(void **state) {
    unsigned long long ids[2] = {0, 0};
    unsigned value = 0;
    (void)state;
    CUcontext a = create(CU_CTX_SCHED_YIELD | CU_CTX_SYNC_MEMOPS, 0);
    assert_cu_ok(cuCtxGetFlags(&value));
    assert_int_equal(value, CU_CTX_SCHED_YIELD | CU_CTX_SYNC_MEMOPS);
    assert_cu_ok(cuCtxSetFlags(CU_CTX_SCHED_BLOCKING_SYNC));
    assert_cu_ok(cuCtxGetFlags(&value));
    assert_int_equal(value, CU_CTX_SCHED_BLOCKING_SYNC);
    assert_cu(cuCtxSetFlags(0x100), 1);
    assert_cu_ok(cuCtxGetId(NULL, &ids[0]));
    assert_cu_ok(cuCtxGetId(a, &ids[1]));
    assert_int_equal(ids[0], ids[1]);
    CUcontext b = create(0, 0);
    assert_cu_ok(cuCtxGetId(b, &ids[1]));
    assert_int_not_equal(ids[0], ids[1]);
    assert_cu(cuCtxGetId((CUcontext)&value, &ids[1]), 709);
    assert_cu_ok(cuCtxGetApiVersion(a, &value));
    assert_int_equal(value, 3020);
    assert_cu_ok(cuCtxGetApiVersion(NULL, &value));
    assert_cu_ok(cuCtxSynchronize());
    assert_cu_ok(cuCtxSynchronize_v2(a));
    assert_cu_ok(cuCtxSynchronize_v2(NULL));
    assert_cu(cuCtxSynchronize_v2((CUcontext)&value), 709);
    assert_cu_ok(cuCtxDestroy(b));
    assert_cu_ok(cuCtxDestroy(a));
}

static void the_runtime_uses_the_current_context(void **state) {
    CUcontext owner = NULL;
    void *ptr = NULL;
    int device = -1;
    (void)state;
    CUcontext ctx = create(0, cuda_last_device());
    assert_cuda_ok(cudaGetDevice(&device));
    assert_int_equal(device, cuda_last_device());
    assert_cuda_ok(cudaMalloc(&ptr, MIB));
    assert_cu_ok(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)ptr));
    assert_ptr_equal(owner, ctx);
    assert_cu_ok(cuCtxDestroy(ctx));
    assert_cuda(cudaFree(ptr), 1);
    (void)cudaGetLastError();
}

// ---- what a context owns

static void everything_of_a_context_ends_with_it(void **state) {
    static char mine[4096] __attribute__((aligned(4096)));
    void *pinned = NULL;
    CUdeviceptr managed = 0;
    CUDA_ARRAY_DESCRIPTOR shape = {.Width = 64, .Height = 64, .NumChannels = 1};
    CUstream stream = NULL;
    CUevent event = NULL;
    CUarray array = NULL;
    unsigned flags = 0;
    (void)state;
    size_t before = cuda_free_bytes();
    CUdeviceptr other = allocate(MIB);
    size_t between = cuda_free_bytes();
    CUcontext ctx = create(0, 0);
    CUdeviceptr plain = allocate(MIB);
    assert_cu_ok(cuMemAllocManaged(&managed, MIB, CU_MEM_ATTACH_GLOBAL));
    assert_cu_ok(cuMemHostAlloc(&pinned, MIB, 0));
    assert_cu_ok(cuMemHostRegister(mine, sizeof mine, 0));
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuEventCreate(&event, 0));
    shape.Format = CU_AD_FORMAT_FLOAT;
    assert_cu_ok(cuArrayCreate(&array, &shape));
    assert_cu_ok(cuMemsetD8Async(plain, 1, MIB, stream));
    assert_cu_ok(cuEventRecord(event, stream));
    assert_cu_ok(cuCtxDestroy(ctx));
    assert_int_equal(cuda_free_bytes(), between);
    assert_false(is_memory(plain));
    assert_false(is_memory(managed));
    assert_false(is_memory((CUdeviceptr)pinned));
    assert_cu(cuMemHostGetFlags(&flags, mine), 1);
    assert_cu(cuStreamQuery(stream), 400);
    assert_cu(cuEventQuery(event), 400);
    assert_cu(cuArrayGetDescriptor(&shape, array), 400);
    assert_cu_ok(cuMemFree(other)); // of the primary context
    assert_int_equal(cuda_free_bytes(), before);
}

static void a_capture_ends_with_its_context(void **state) {
    CUstream stream = NULL;
    CUdeviceptr ptr = 0;
    CUgraph graph = NULL;
    (void)state;
    CUcontext ctx = create(0, 0);
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    assert_cu_ok(cuCtxDestroy(ctx));
    assert_cu(cuStreamEndCapture(stream, &graph), 400);
    assert_cu_ok(cuMemAlloc(&ptr, 16)); // no capture forbids it
    assert_cu_ok(cuMemFree(ptr));
}

static void pools_and_virtual_memory_outlive_their_context(void **state) {
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location.type = CU_MEM_LOCATION_TYPE_DEVICE};
    const CUmemAccessDesc desc = {.location.type = CU_MEM_LOCATION_TYPE_DEVICE,
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle = 0;
    CUdeviceptr pooled = 0;
    CUdeviceptr mapped = 0;
    unsigned char byte = 0;
    (void)state;
    CUcontext ctx = create(0, 0);
    assert_cu_ok(cuMemAllocAsync(&pooled, MIB, NULL));
    assert_cu_ok(cuMemsetD8(pooled, 3, MIB));
    assert_cu_ok(cuMemCreate(&handle, G, &prop, 0));
    assert_cu_ok(cuMemAddressReserve(&mapped, G, 0, 0, 0));
    assert_cu_ok(cuMemMap(mapped, G, 0, handle, 0));
    assert_cu_ok(cuMemSetAccess(mapped, G, &desc, 1));
    assert_cu_ok(cuMemsetD8(mapped, 4, G));
    assert_cu_ok(cuCtxDestroy(ctx));
    assert_cuda_ok(cudaDeviceReset()); // 91
    assert_cu(cuMemcpyDtoH(&byte, pooled + MIB - 1, 1), 709);
    assert_cuda_ok(cudaFree(NULL)); // makes the primary context again
    assert_cu_ok(cuMemcpyDtoH(&byte, pooled + MIB - 1, 1));
    assert_int_equal(byte, 3);
    assert_cu_ok(cuMemcpyDtoH(&byte, mapped + G - 1, 1));
    assert_int_equal(byte, 4);
    assert_cu_ok(cuMemFree(pooled));
    assert_cu_ok(cuMemUnmap(mapped, G));
    assert_cu_ok(cuMemAddressFree(mapped, G));
    assert_cu_ok(cuMemRelease(handle));
}

static void a_reset_ends_what_the_primary_context_owns(void **state) {
    CUcontext primary = NULL;
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;
    void *pinned = NULL;
    void *plain = NULL;
    (void)state;
    size_t before = cuda_free_bytes();
    CUcontext ctx = create(0, 0);
    CUdeviceptr kept = allocate(MIB);
    assert_cu_ok(cuCtxPopCurrent(NULL));
    assert_cuda_ok(cudaMalloc(&plain, MIB));
    assert_cuda_ok(cudaMallocHost(&pinned, MIB));
    assert_cuda_ok(cudaStreamCreate(&stream));
    assert_cuda_ok(cudaEventCreate(&event));
    assert_cuda_ok(cudaMemsetAsync(plain, 1, MIB, stream));
    assert_cuda_ok(cudaDeviceReset()); // 91
    assert_cuda(cudaFree(plain), 1);
    assert_cuda(cudaFreeHost(pinned), 1);
    assert_cuda(cudaStreamQuery(stream), 400);
    assert_cuda(cudaEventQuery(event), 400);
    assert_true(is_memory(kept));
    assert_cu_ok(cuCtxDestroy(ctx));
    assert_int_equal(cuda_free_bytes(), before);
    assert_cuda_ok(cudaMalloc(&plain, MIB)); // works again
    assert_cu_ok(cuDevicePrimaryCtxReset(0));
    assert_cuda(cudaFree(plain), 1);
    assert_cu_ok(cuDevicePrimaryCtxRetain(&primary, 0)); // its users are still counted
    assert_ptr_equal(current(), primary);
    assert_cu_ok(cuDevicePrimaryCtxRelease(0));
    assert_int_equal(is_active(0), 1);
    assert_cu(cuDevicePrimaryCtxReset(cuda_last_device() + 1), 101);
    (void)cudaGetLastError();
}

static void at_most_63_contexts_live_beside_the_primary_ones(void **state) {
    CUcontext made[63];
    CUcontext more = NULL;
    CUcontext owner = NULL;
    (void)state;
    size_t before = cuda_free_bytes();
    for (int i = 0; i < 63; i++) {
        made[i] = create(0, i % 2 == 0 ? 0 : cuda_last_device());
        CUdeviceptr ptr = allocate(4096);
        assert_cu_ok(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, ptr));
        assert_ptr_equal(owner, made[i]);
        assert_cu_ok(cuCtxPopCurrent(NULL));
    }
    assert_cu(cuCtxCreate(&more, NULL, 0, 0), 2);
    assert_null(more);
    assert_cu_ok(cuCtxDestroy(made[7]));
    made[7] = create(0, 0);
    for (int i = 0; i < 63; i++) assert_cu_ok(cuCtxDestroy(made[i]));
    assert_int_equal(cuda_free_bytes(), before);
}

// ---- other threads

struct shared {
    CUcontext ctx;
    pthread_barrier_t barrier;
};

static void *use_beside(void *arg) {
    struct shared *shared = arg;
    CUdeviceptr ptr = 0;
    void *memory = NULL;
    assert_null(current());
    assert_cu_ok(cuCtxSetCurrent(shared->ctx));
    assert_cu_ok(cuMemAlloc(&ptr, 16));
    (void)pthread_barrier_wait(&shared->barrier);
    (void)pthread_barrier_wait(&shared->barrier); // the other thread has destroyed it
    assert_cu(cuMemAlloc(&ptr, 16), 709);         // 92
    assert_cu(cuCtxSynchronize(), 709);
    assert_cuda(cudaMalloc(&memory, 16), 201);
    assert_cuda(cudaGetLastError(), 201);
    assert_cu_ok(cuCtxPopCurrent(NULL));
    assert_cuda_ok(cudaMalloc(&memory, 16)); // the primary one
    assert_cuda_ok(cudaFree(memory));
    return NULL;
}

static void a_destroyed_context_is_dead_for_other_threads(void **state) {
    struct shared shared = {create(0, 0), {{0}}};
    pthread_t thread;
    (void)state;
    assert_int_equal(pthread_barrier_init(&shared.barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, use_beside, &shared), 0);
    (void)pthread_barrier_wait(&shared.barrier);
    assert_cu_ok(cuCtxDestroy(shared.ctx));
    (void)pthread_barrier_wait(&shared.barrier);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_barrier_destroy(&shared.barrier), 0);
}

// ---- processes

static void use_in_child(void *arg) {
    CUdeviceptr ptr = 0;
    void *memory = NULL;
    int count = 0;
    (void)arg;
    assert_cu(cuMemAlloc(&ptr, 16), 3); // 94
    assert_cu(cuInit(0), 3);
    assert_cu(cuDeviceGetCount(&count), 3);
    assert_cuda(cudaMalloc(&memory, 16), 3);
    assert_cuda_ok(cudaGetDeviceCount(&count));
    assert_true(count > 0);
    assert_cuda(cudaGetLastError(), 3);
}

static void a_child_of_a_user_is_not_initialised(void **state) {
    (void)state;
    cuda_in_child(use_in_child, NULL, NULL);
}

// Programs free what they have at their end, from threads without a context.
static void objects_end_without_a_current_context(void **state) {
    CUstream stream = NULL;
    CUevent event = NULL;
    void *pinned = NULL;
    (void)state;
    size_t before = cuda_free_bytes();
    CUdeviceptr plain = allocate(MIB);
    assert_cu_ok(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_cu_ok(cuEventCreate(&event, CU_EVENT_DEFAULT));
    assert_cu_ok(cuMemHostAlloc(&pinned, 64, 0));
    assert_cu_ok(cuCtxSetCurrent(NULL));
    assert_cu(cuMemAlloc(&plain, MIB), 201);
    assert_cu_ok(cuMemFree(plain));
    assert_cu_ok(cuEventDestroy(event));
    assert_cu_ok(cuStreamDestroy(stream));
    assert_cu_ok(cuMemFreeHost(pinned));
    cuda_begin();
    assert_int_equal(cuda_free_bytes(), before);
}

static int use_device_0(void **state) {
    (void)state;
    cuda_begin();
    return 0;
}

#define test(name) cmocka_unit_test_setup(name, use_device_0)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_makes_no_context_by_itself),
        cmocka_unit_test(the_last_release_resets_a_primary_context),
        cmocka_unit_test(the_runtime_takes_the_primary_context),
        test(the_last_error_is_of_its_thread),
        test(contexts_are_made_pushed_and_popped),
        test(a_handle_that_is_no_context_is_refused),
        test(a_context_ends_with_its_last_user),
        test(an_event_is_recorded_by_streams_of_its_context),
        test(memory_of_a_reset_context_is_not_freed),
        test(every_form_of_creation_makes_one),
        test(a_context_has_flags_an_id_and_a_version),
        test(the_runtime_uses_the_current_context),
        test(everything_of_a_context_ends_with_it),
        test(a_capture_ends_with_its_context),
        test(pools_and_virtual_memory_outlive_their_context),
        test(a_reset_ends_what_the_primary_context_owns),
        test(at_most_63_contexts_live_beside_the_primary_ones),
        test(a_destroyed_context_is_dead_for_other_threads),
        test(objects_end_without_a_current_context),
        test(a_child_of_a_user_is_not_initialised),
    };
    return cmocka_run_group_tests(tests, cuda_group_setup, cuda_group_end);
}
