// SPDX-License-Identifier: Apache-2.0
// The backend for CUDA beside a program that uses the driver itself: what is current on a thread is
// the program's, streams of the program's are used as they are, and a fault goes with the context.
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
#include "support/gate.h"

#define assert_ok(call)   assert_int_equal((call), TARN_OK)
#define assert_good(call) assert_int_equal((call), CUDA_SUCCESS)

static CUcontext current(void) {
    CUcontext context = NULL;
    assert_good(cuCtxGetCurrent(&context));
    return context;
}

// One call after which the program's context must be what it was.
#define KEEPS(call)                                                                                \
    do {                                                                                           \
        CUcontext saved = current();                                                               \
        (void)(call);                                                                              \
        assert_ptr_equal(current(), saved);                                                        \
    } while (0)

static void use_everything(void) {
    tarn_device *device = NULL;
    tarn_device *peer = NULL;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_stream stream = 0;
    tarn_event event = 0;
    tarn_addr addr = 0;
    tarn_addr memory = 0;
    tarn_phys phys = 0;
    void *pinned = NULL;
    char byte = 0;
    char other = 0;
    KEEPS(tarn_device_open("cuda:0", &device));
    KEEPS(tarn_device_sibling(device, 1, &peer));
    KEEPS(tarn_device_query(device, &info));
    tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    KEEPS(tarn_space_reserve(device, info.granularity_minimum, 0, 0, &addr));
    KEEPS(tarn_phys_create(device, info.granularity_minimum, NULL, &phys));
    KEEPS(tarn_map(addr, info.granularity_minimum, phys));
    KEEPS(tarn_map_set_access(addr, info.granularity_minimum, &grant, 1));
    KEEPS(tarn_memory_alloc(peer, 100, &memory));
    KEEPS(tarn_host_alloc(device, 100, 0, &pinned));
    KEEPS(tarn_device_enable_peer(device, peer));
    KEEPS(tarn_device_disable_peer(device, peer));
    KEEPS(tarn_stream_create(peer, &stream));
    KEEPS(tarn_event_create(device, &event));
    KEEPS(tarn_fill(NULL, memory, 1, 1, 100, stream));
    KEEPS(tarn_copy(NULL, TARN_ADDR(&byte), memory, 1, stream));
    KEEPS(tarn_copy(device, addr, TARN_ADDR(&other), 1, 0));
    KEEPS(tarn_copy(device, memory + 1000, TARN_ADDR(&other), 1, 0)); // fails
    KEEPS(tarn_event_record(event, stream));
    KEEPS(tarn_event_synchronize(event, TARN_FOREVER));
    KEEPS(tarn_stream_synchronize(stream, TARN_FOREVER));
    assert_int_equal(byte, 1);
    KEEPS(tarn_device_synchronize(device, TARN_FOREVER));
    KEEPS(tarn_event_destroy(event));
    KEEPS(tarn_stream_destroy(stream));
    KEEPS(tarn_host_free(pinned));
    KEEPS(tarn_memory_free(memory, 0));
    KEEPS(tarn_unmap(addr, info.granularity_minimum, 0));
    KEEPS(tarn_space_release(addr));
    KEEPS(tarn_phys_release(phys));
    KEEPS(tarn_device_close(peer));
    CUcontext saved = current();
    assert_ok(tarn_device_close(device)); // nothing was left behind
    assert_ptr_equal(current(), saved);
}

static void no_call_changes_what_is_current(void **state) {
    (void)state;
    CUcontext context = NULL;
    assert_good(cuInit(0));
    assert_null(current());
    use_everything();
    assert_good(cuDevicePrimaryCtxRetain(&context, 1));
    assert_good(cuCtxPushCurrent_v2(context));
    use_everything();
    assert_ptr_equal(current(), context);
    assert_good(cuCtxPopCurrent_v2(NULL));
    assert_null(current());
    assert_good(cuDevicePrimaryCtxRelease_v2(1));
}

// Contexts are held while a platform is open, and no longer.
static void the_last_close_lets_go_of_contexts(void **state) {
    (void)state;
    tarn_device *device = NULL;
    tarn_device *other = NULL;
    assert_good(cuInit(0));
    assert_ok(tarn_device_open("cuda:0", &device));
    assert_ok(tarn_device_open("cuda:0,memory=1G", &other));
    assert_ok(tarn_device_close(device));
    tarn_addr memory = 0;
    assert_ok(tarn_memory_alloc(other, 100, &memory)); // its contexts are there
    assert_ok(tarn_memory_free(memory, 0));
    assert_ok(tarn_device_close(other));
    assert_int_equal(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
}

static void work_goes_into_a_stream_of_the_program(void **state) {
    (void)state;
    CUcontext context = NULL;
    CUstream native = NULL;
    tarn_device *device = NULL;
    tarn_stream stream = 0;
    tarn_addr memory = 0;
    struct gate gate = {0};
    assert_good(cuInit(0));
    assert_good(cuDevicePrimaryCtxRetain(&context, 0));
    assert_good(cuCtxPushCurrent_v2(context));
    assert_good(cuStreamCreate(&native, CU_STREAM_NON_BLOCKING));
    assert_ok(tarn_device_open("cuda:0", &device));
    assert_ok(tarn_memory_alloc(device, 100, &memory));
    assert_ok(tarn_stream_wrap(device, native, &stream));
    assert_good(cuLaunchHostFunc(native, pass_gate, &gate));
    assert_ok(tarn_fill(NULL, memory, 1, 1, 100, stream));
    assert_int_equal(tarn_stream_query(stream), TARN_NOT_READY);
    assert_int_equal(cuStreamQuery(native), CUDA_ERROR_NOT_READY);
    atomic_store(&gate.open, true);
    assert_ok(tarn_stream_destroy(stream));
    assert_good(cuStreamSynchronize(native)); // it is the program's still
    assert_ok(tarn_memory_free(memory, 0));
    assert_ok(tarn_device_close(device));
    assert_good(cuStreamDestroy_v2(native));
    assert_good(cuCtxPopCurrent_v2(NULL));
    assert_good(cuDevicePrimaryCtxRelease_v2(0));
}

// ---- copies of memory that nobody has pinned

enum { WIDE = (1 << 20) + 77, ROWS = 3 };

static unsigned char pattern(size_t i) { return (unsigned char)(i * 7 + i / 251); }

// Out and back behind a closed gate, in pieces, with rows longer than the place they go through.
static void pageable_memory_holds_nobody_up(void **state) {
    (void)state;
    tarn_device *device = NULL;
    tarn_stream stream = 0;
    tarn_addr memory = 0;
    struct gate gate = {0};
    unsigned char *out = malloc((size_t)ROWS * WIDE);
    unsigned char *back = calloc(ROWS, WIDE + 5);
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    assert_ok(tarn_device_open("cuda:0", &device));
    assert_ok(tarn_memory_alloc(device, (uint64_t)ROWS * WIDE, &memory));
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_call(stream, pass_gate, &gate));
    assert_ok(tarn_copy(NULL, memory, TARN_ADDR(out), (uint64_t)ROWS * WIDE, stream));
    desc.dst = TARN_ADDR(back);
    desc.src = memory;
    desc.width = WIDE;
    desc.height = ROWS;
    desc.src_pitch = WIDE;
    desc.dst_pitch = WIDE + 5;
    assert_ok(tarn_copy_box(NULL, &desc, stream));
    assert_int_equal(tarn_stream_query(stream), TARN_NOT_READY);
    for (size_t i = 0; i < (size_t)ROWS * WIDE; i++)
        out[i] = pattern(i); // read when the stream comes to it
    atomic_store(&gate.open, true);
    assert_ok(tarn_stream_synchronize(stream, TARN_FOREVER));
    for (size_t y = 0; y < ROWS; y++) {
        assert_memory_equal(back + y * (WIDE + 5), out + y * WIDE, WIDE);
        assert_int_equal(back[y * (WIDE + 5) + WIDE], 0);
    }
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_memory_free(memory, 0));
    assert_ok(tarn_device_close(device));
    free(out);
    free(back);
}

// ---- faults

static void a_fault_is_told_by_all_streams_and_goes_with_the_platform(void **state) {
    (void)state;
    tarn_device *device = NULL;
    tarn_device_info info = TARN_INIT(tarn_device_info);
    tarn_stream stream = 0;
    tarn_stream other = 0;
    tarn_addr addr = 0;
    tarn_phys phys = 0;
    tarn_error error;
    struct gate gate = {0};
    tarn_grant grant = {{TARN_LOCATION_DEVICE, 0}, TARN_ACCESS_READ_WRITE};
    assert_ok(tarn_device_open("cuda:0", &device));
    assert_ok(tarn_device_query(device, &info));
    uint64_t g = info.granularity_minimum;
    assert_ok(tarn_space_reserve(device, g, 0, 0, &addr));
    assert_ok(tarn_phys_create(device, g, NULL, &phys));
    assert_ok(tarn_map(addr, g, phys));
    assert_ok(tarn_map_set_access(addr, g, &grant, 1));
    assert_ok(tarn_stream_create(device, &stream));
    assert_ok(tarn_stream_create(device, &other));
    assert_ok(tarn_stream_call(stream, pass_gate, &gate));
    assert_ok(tarn_fill(NULL, addr, 1, 1, g, stream));
    assert_ok(tarn_unmap(addr, g, TARN_NO_WAIT));
    atomic_store(&gate.open, true);
    assert_int_equal(tarn_stream_synchronize(stream, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_last_error(&error), TARN_DEVICE_FAILED);
    assert_int_equal(error.native_code, CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_non_null(strstr(error.message, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    assert_int_equal(tarn_stream_query(stream), TARN_DEVICE_FAILED);
    assert_int_equal(tarn_stream_synchronize(other, TARN_FOREVER), TARN_DEVICE_FAILED);
    assert_ok(tarn_stream_destroy(stream));
    assert_ok(tarn_stream_destroy(other));
    assert_ok(tarn_phys_release(phys));
    assert_ok(tarn_space_release(addr));
    assert_ok(tarn_device_close(device));
    assert_ok(tarn_device_open("cuda:0", &device)); // in a context that is new
    assert_ok(tarn_memory_alloc(device, 100, &addr));
    assert_ok(tarn_memory_free(addr, 0));
    assert_ok(tarn_device_close(device));
}

// The driver ends the capture of a stream that is queried.
static void a_query_leaves_a_capture_alone(void **state) {
    tarn_device *device = NULL;
    tarn_stream stream = 0;
    CUcontext context = NULL;
    CUstream own = NULL;
    CUgraph graph = NULL;
    (void)state;
    assert_ok(tarn_device_open("cuda:0", &device));
    assert_good(cuDevicePrimaryCtxRetain(&context, 0));
    assert_good(cuCtxPushCurrent(context));
    assert_good(cuStreamCreate(&own, CU_STREAM_NON_BLOCKING));
    assert_ok(tarn_stream_wrap(device, own, &stream));
    assert_ok(tarn_stream_query(stream));
    assert_good(cuStreamBeginCapture(own, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    assert_int_equal(tarn_stream_query(stream), TARN_NOT_READY);
    assert_good(cuStreamEndCapture(own, &graph));
    assert_ok(tarn_stream_query(stream));
    assert_good(cuGraphDestroy(graph));
    assert_ok(tarn_stream_destroy(stream));
    assert_good(cuStreamDestroy(own));
    assert_good(cuCtxPopCurrent(&context));
    assert_good(cuDevicePrimaryCtxRelease_v2(0));
    assert_ok(tarn_device_close(device));
}

int main(void) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/cuda/libcuda.so.1", getenv("STANDIN"));
    (void)setenv("TARN_CUDA_LIBRARY", path, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_call_changes_what_is_current),
        cmocka_unit_test(the_last_close_lets_go_of_contexts),
        cmocka_unit_test(work_goes_into_a_stream_of_the_program),
        cmocka_unit_test(a_query_leaves_a_capture_alone),
        cmocka_unit_test(pageable_memory_holds_nobody_up),
        cmocka_unit_test(a_fault_is_told_by_all_streams_and_goes_with_the_platform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
