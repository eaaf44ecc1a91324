// SPDX-License-Identifier: Apache-2.0
// Memory while a stream captures: what might wait is refused, and changes nothing.
#include "support/hip.h"

#define PAGE ((size_t)4096)

static char mine[2 * 4096];

// Every call that allocates or frees, on memory of each kind.
struct memory {
    void *device;
    void *host;
    void *managed;
    size_t left;
};

static size_t free_bytes(void) {
    size_t left = 0;
    assert_hip_ok(hipMemGetInfo(&left, NULL));
    return left;
}

static struct memory make_memory(void) {
    struct memory memory;
    assert_hip_ok(hipMalloc(&memory.device, PAGE));
    assert_hip_ok(hipHostMalloc(&memory.host, PAGE, 0));
    assert_hip_ok(hipMallocManaged(&memory.managed, PAGE, hipMemAttachGlobal));
    assert_hip_ok(hipHostRegister(mine, PAGE, 0));
    memory.left = free_bytes();
    return memory;
}

static void free_memory(const struct memory *memory) {
    assert_hip_ok(hipFree(memory->device));
    assert_hip_ok(hipHostFree(memory->host));
    assert_hip_ok(hipFree(memory->managed));
    assert_hip_ok(hipHostUnregister(mine));
}

static void expect(const struct memory *memory, hipError_t want) {
    void *ptr = NULL;
    size_t pitch = 0;
    hipPitchedPtr box;
    hipIpcMemHandle_t handle;
    assert_hip(hipMalloc(&ptr, PAGE), want);
    assert_hip(hipExtMallocWithFlags(&ptr, PAGE, hipDeviceMallocFinegrained), want);
    assert_hip(hipMallocPitch(&ptr, &pitch, 10, 10), want);
    assert_hip(hipMemAllocPitch(&ptr, &pitch, 10, 10, 4), want);
    assert_hip(hipMalloc3D(&box, make_hipExtent(10, 10, 10)), want);
    assert_hip(hipHostMalloc(&ptr, PAGE, 0), want);
    assert_hip(hipMallocManaged(&ptr, PAGE, hipMemAttachGlobal), want);
    assert_hip(hipHostRegister(mine + PAGE, PAGE, 0), want);
    assert_hip(hipIpcGetMemHandle(&handle, memory->device), want);
    assert_hip(hipFree(memory->device), want);
    assert_hip(hipHostFree(memory->host), want);
    assert_hip(hipFree(memory->managed), want);
    assert_hip(hipHostUnregister(mine), want);
}

static void end_capture(hipStream_t stream) {
    hipGraph_t graph = NULL;
    (void)hipStreamEndCapture(stream, &graph);
    if (graph != NULL) assert_hip_ok(hipGraphDestroy(graph));
    (void)hipGetLastError();
}

static void a_global_capture_forbids_memory_to_come_and_go(void **state) {
    struct memory memory = make_memory();
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    expect(&memory, hipErrorStreamCaptureUnsupported);
    assert_true(free_bytes() == memory.left); // asking is always allowed
    end_capture(stream);
    free_memory(&memory);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void a_relaxed_capture_allows_it(void **state) {
    struct memory memory = make_memory();
    hipStream_t stream = NULL;
    void *ptr = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip_ok(hipMalloc(&ptr, PAGE));
    assert_hip_ok(hipFree(ptr));
    assert_hip_ok(hipHostMalloc(&ptr, PAGE, 0));
    assert_hip_ok(hipHostFree(ptr));
    free_memory(&memory);
    end_capture(stream);
    assert_hip_ok(hipStreamDestroy(stream));
}

// Neither has a place in a graph.
static void a_capturing_stream_refuses_its_own_memory_work(void **state) {
    hipStream_t stream = NULL;
    void *managed = NULL;
    void *pooled = NULL;
    int told = 77;
    (void)state;
    assert_hip_ok(hipMallocManaged(&managed, PAGE, hipMemAttachGlobal));
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipMallocAsync(&pooled, PAGE, stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    assert_hip(hipMemPrefetchAsync(managed, PAGE, 0, stream), hipErrorStreamCaptureUnsupported);
    assert_hip(hipFreeAsync(pooled, stream), hipErrorStreamCaptureUnsupported);
    end_capture(stream);
    assert_hip_ok(hipMemRangeGetAttribute(&told, sizeof told,
                                          hipMemRangeAttributeLastPrefetchLocation, managed, PAGE));
    assert_int_equal(told, hipInvalidDeviceId);
    assert_hip_ok(hipFreeAsync(pooled, stream));
    assert_hip_ok(hipFree(managed));
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_global_capture_forbids_memory_to_come_and_go),
        cmocka_unit_test(a_relaxed_capture_allows_it),
        cmocka_unit_test(a_capturing_stream_refuses_its_own_memory_work),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
