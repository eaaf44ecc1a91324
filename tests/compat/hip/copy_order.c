// SPDX-License-Identifier: Apache-2.0
// The order of copies that involve several devices or streams, and which copies and fills return
// before they are complete.
#include <pthread.h>
#include <unistd.h>

#include "support/work.h"

#define BYTES ((size_t)1 << 20)

static char *here;  // on device 0
static char *there; // on device 1
static char *also_there;
static char *pinned;
static char ordinary[BYTES];

static int make_memory(void **state) {
    int failed = work_group_setup(state);
    assert_hip_ok(hipMalloc((void **)&here, BYTES));
    assert_hip_ok(hipHostMalloc((void **)&pinned, BYTES, 0));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMalloc((void **)&there, BYTES));
    assert_hip_ok(hipMalloc((void **)&also_there, BYTES));
    assert_hip_ok(hipSetDevice(0));
    return failed;
}

static int free_memory(void **state) {
    (void)state;
    assert_hip_ok(hipFree(here));
    assert_hip_ok(hipFree(there));
    assert_hip_ok(hipFree(also_there));
    assert_hip_ok(hipHostFree(pinned));
    return 0;
}

static void synchronize_all(void) {
    for (int device = 1; device >= 0; device--) {
        assert_hip_ok(hipSetDevice(device));
        assert_hip_ok(hipDeviceSynchronize());
    }
}

static void expect_bytes(const char *bytes, char want) {
    assert_int_equal(bytes[0], want);
    assert_int_equal(bytes[BYTES / 2], want);
    assert_int_equal(bytes[BYTES - 1], want);
}

static void sleep_a_little(void *arg) {
    (void)arg;
    (void)usleep(30000);
}

// ---- the NULL stream of the device that owns the memory

static hipError_t copy_plain(void) {
    return hipMemcpy(pinned, there, BYTES, hipMemcpyDeviceToHost);
}
static hipError_t copy_ordinary(void) {
    hipError_t error = hipMemcpy(ordinary, there, BYTES, hipMemcpyDefault);
    memcpy(pinned, ordinary, BYTES);
    return error;
}
static hipError_t copy_by_direction(void) { return hipMemcpyDtoH(pinned, there, BYTES); }
static hipError_t copy_of_thread(void) {
    return hipMemcpy_spt(pinned, there, BYTES, hipMemcpyDeviceToHost);
}
static hipError_t copy_with_stream(void) {
    return hipMemcpyWithStream(pinned, there, BYTES, hipMemcpyDeviceToHost, hipStreamPerThread);
}
static hipError_t copy_rows(void) {
    return hipMemcpy2D(pinned, 1024, there, 1024, 1024, BYTES / 1024, hipMemcpyDeviceToHost);
}
static hipError_t copy_box(void) {
    hipMemcpy3DParms parms = {.srcPtr = make_hipPitchedPtr(there, 1024, 1024, BYTES / 1024),
                              .dstPtr = make_hipPitchedPtr(pinned, 1024, 1024, BYTES / 1024),
                              .extent = make_hipExtent(1024, BYTES / 1024, 1),
                              .kind = hipMemcpyDeviceToHost};
    return hipMemcpy3D(&parms);
}
static hipError_t copy_async(void) {
    hipError_t error = hipMemcpyAsync(pinned, there, BYTES, hipMemcpyDeviceToHost, NULL);
    assert_hip_ok(hipStreamSynchronize(NULL));
    return error;
}
static hipError_t copy_async_on_stream(void) {
    hipStream_t stream = NULL;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    hipError_t error = hipMemcpyAsync(pinned, there, BYTES, hipMemcpyDeviceToHost, stream);
    assert_hip_ok(hipStreamSynchronize(stream)); // of device 0, but the copy is in its order
    assert_hip_ok(hipStreamDestroy(stream));
    return error;
}
static hipError_t copy_to_here(void) {
    hipError_t error = hipMemcpy(here, there, BYTES, hipMemcpyDeviceToDevice);
    assert_hip_ok(hipMemcpy(pinned, here, BYTES, hipMemcpyDeviceToHost));
    return error;
}
static hipError_t copy_on_there(void) {
    hipError_t error = hipMemcpyDtoD(also_there, there, BYTES);
    assert_hip_ok(hipMemcpy(pinned, also_there, BYTES, hipMemcpyDeviceToHost));
    return error;
}
static hipError_t copy_peer(void) {
    hipError_t error = hipMemcpyPeer(here, 0, there, 1, BYTES);
    assert_hip_ok(hipMemcpy(pinned, here, BYTES, hipMemcpyDeviceToHost));
    return error;
}
static hipError_t copy_peer_on_there(void) {
    hipError_t error = hipMemcpyPeer(also_there, 1, there, 1, BYTES);
    assert_hip_ok(hipMemcpy(pinned, also_there, BYTES, hipMemcpyDeviceToHost));
    return error;
}

static void a_copy_sees_the_work_of_the_device_that_owns_the_memory(void **state) {
    hipError_t (*const copies[])(void) = {
        copy_plain, copy_ordinary,      copy_by_direction,   copy_of_thread, copy_with_stream,
        copy_rows,  copy_box,           copy_async,          copy_to_here,   copy_on_there,
        copy_peer,  copy_peer_on_there, copy_async_on_stream};
    (void)state;
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        char value = (char)(i + 1);
        assert_hip_ok(hipSetDevice(1));
        assert_hip_ok(hipLaunchHostFunc(NULL, sleep_a_little, NULL));
        assert_hip_ok(hipMemsetAsync(there, value, BYTES, NULL));
        assert_hip_ok(hipSetDevice(0));
        assert_hip_ok(copies[i]());
        if (pinned[BYTES - 1] != value)
            fail_msg("copy %zu has read %d instead of %d", i, pinned[BYTES - 1], value);
        synchronize_all();
    }
}

static void a_copy_of_an_array_sees_the_work_of_its_device(void **state) {
    hipChannelFormatDesc channel = {8, 0, 0, 0, hipChannelFormatKindUnsigned};
    hipArray_t array = NULL;
    (void)state;
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMallocArray(&array, &channel, 1024, 64, 0));
    memset(pinned, 0x21, 1024 * 64);
    assert_hip_ok(hipLaunchHostFunc(NULL, sleep_a_little, NULL));
    assert_hip_ok(
        hipMemcpy2DToArrayAsync(array, 0, 0, pinned, 1024, 1024, 64, hipMemcpyHostToDevice, NULL));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipMemcpy2DFromArray(ordinary, 1024, array, 0, 0, 1024, 64, hipMemcpyDefault));
    assert_int_equal(ordinary[0], 0x21);
    assert_int_equal(ordinary[1024 * 64 - 1], 0x21);
    memset(ordinary, 0, sizeof ordinary);
    assert_hip_ok(hipSetDevice(1));
    memset(pinned, 0x22, 1024 * 64);
    assert_hip_ok(hipLaunchHostFunc(NULL, sleep_a_little, NULL));
    assert_hip_ok(
        hipMemcpy2DToArrayAsync(array, 0, 0, pinned, 1024, 1024, 64, hipMemcpyHostToDevice, NULL));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipMemcpyFromArray(ordinary, array, 0, 0, (size_t)1024 * 64, hipMemcpyDefault));
    assert_int_equal(ordinary[1024 * 64 - 1], 0x22);
    synchronize_all();
    assert_hip_ok(hipFreeArray(array));
}

// The copy runs on another stream than the one that the program named, which waits for it.
static void later_work_of_the_named_stream_waits_for_the_copy(void **state) {
    struct gate gate = {.open = false};
    struct seen seen = {.gate = &gate};
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipLaunchHostFunc(NULL, pass_gate, &gate));
    assert_hip_ok(hipSetDevice(0));
    assert_hip_ok(hipMemcpyAsync(there, pinned, BYTES, hipMemcpyDefault, stream));
    assert_hip(hipStreamQuery(stream), hipErrorNotReady);
    assert_hip_ok(hipLaunchHostFunc(stream, see, &seen));
    let_others_begin();
    gate.open = true;
    assert_hip_ok(hipStreamSynchronize(stream));
    assert_int_equal(seen.passed, 1);
    assert_hip_ok(hipStreamDestroy(stream));
}

static void the_owners_null_stream_waits_for_earlier_work_of_the_named_stream(void **state) {
    hipStream_t stream = NULL;
    (void)state;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipMemset(here, 0, BYTES));
    assert_hip_ok(hipDeviceSynchronize());
    assert_hip_ok(hipLaunchHostFunc(stream, sleep_a_little, NULL));
    assert_hip_ok(hipMemsetAsync(pinned, 0x31, BYTES, stream));
    assert_hip_ok(hipMemcpyAsync(there, pinned, BYTES, hipMemcpyDefault, stream));
    assert_hip_ok(hipSetDevice(1));
    assert_hip_ok(hipMemcpy(ordinary, there, BYTES, hipMemcpyDefault));
    expect_bytes(ordinary, 0x31);
    synchronize_all();
    assert_hip_ok(hipStreamDestroy(stream));
}

// ---- which calls return early

struct call {
    hipError_t (*run)(void);
    hipError_t result;
    _Atomic(bool) returned;
};

static void *make_call(void *arg) {
    struct call *call = arg;
    call->result = call->run();
    call->returned = true;
    return NULL;
}

// Returns whether the call returns while the NULL stream of device 0 is blocked. Waits for a call
// that should, however long its thread takes, and looks for a while whether another one does.
static bool returns_early(hipError_t (*run)(void), bool should) {
    struct gate gate = {.open = false};
    struct call call = {.run = run};
    pthread_t thread;
    assert_hip_ok(hipLaunchHostFunc(NULL, pass_gate, &gate));
    assert_int_equal(pthread_create(&thread, NULL, make_call, &call), 0);
    for (int i = 0; (should || i < 20) && !call.returned; i++) (void)usleep(5000);
    bool early = call.returned;
    gate.open = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_hip_ok(call.result);
    synchronize_all();
    return early;
}

static hipError_t fill_start(void) { return hipMemset(here, 0x41, BYTES); }
static hipError_t fill_words(void) { return hipMemsetD32(here, 0x42424242, BYTES / 4); }
static hipError_t fill_inside(void) { return hipMemset(here + 1, 0x43, BYTES - 1); }
static hipError_t fill_pinned(void) { return hipMemset(pinned, 0x44, BYTES); }
static hipError_t fill_rows(void) { return hipMemset2D(here, 1024, 0x45, 1000, BYTES / 1024); }
static hipError_t fill_rows_inside(void) {
    return hipMemset2D(here + 1024, 1024, 0x45, 1000, BYTES / 1024 - 1);
}
static hipError_t fill_slices(void) {
    return hipMemset3D(make_hipPitchedPtr(here, 1024, 1024, 16), 0x46,
                       make_hipExtent(1000, 16, BYTES / 1024 / 16));
}
static hipError_t fill_rows_pinned(void) {
    return hipMemset2D(pinned, 1024, 0x47, 1000, BYTES / 1024);
}
static hipError_t copy_described(hipMemoryType type) {
    const hip_Memcpy2D copy = {.srcMemoryType = hipMemoryTypeDevice,
                               .srcDevice = here,
                               .srcPitch = 1024,
                               .dstMemoryType = type,
                               .dstHost = pinned,
                               .dstDevice = here + BYTES / 2,
                               .dstPitch = 1024,
                               .WidthInBytes = 1024,
                               .Height = 64};
    return hipMemcpyParam2D(&copy);
}
static hipError_t copy_described_on_here(void) { return copy_described(hipMemoryTypeDevice); }
static hipError_t copy_described_from_here(void) { return copy_described(hipMemoryTypeHost); }
static hipError_t copy_rows_on_here(void) {
    return hipMemcpy2D(here, 1024, here + BYTES / 2, 1024, 1024, 64, hipMemcpyDeviceToDevice);
}
static hipError_t copy_on_here(void) {
    return hipMemcpy(here, here + BYTES / 2, BYTES / 2, hipMemcpyDeviceToDevice);
}
static hipError_t copy_on_here_by_direction(void) {
    return hipMemcpyDtoD(here, here + BYTES / 2, BYTES / 2);
}
static hipError_t copy_from_here(void) {
    return hipMemcpy(pinned, here, BYTES, hipMemcpyDeviceToHost);
}
static hipError_t copy_peer_to_there(void) { return hipMemcpyPeer(there, 1, here, 0, BYTES); }
static hipError_t copy_peer_on_here(void) {
    return hipMemcpyPeer(here, 0, here + BYTES / 2, 0, BYTES / 2);
}
static hipError_t copy_peer_to_ordinary(void) { return hipMemcpyPeer(ordinary, 0, here, 0, BYTES); }
static hipError_t copy_to_there(void) {
    return hipMemcpy(there, here, BYTES, hipMemcpyDeviceToDevice);
}

static void fills_and_copies_on_devices_return_early_and_others_do_not(void **state) {
    static const struct {
        hipError_t (*run)(void);
        bool early;
    } calls[] = {
        {fill_start, true},
        {fill_words, true},
        {fill_inside, false},
        {fill_pinned, false},
        {copy_on_here, true},
        {copy_on_here_by_direction, true},
        {copy_from_here, false},
        {copy_peer_to_there, true},
        {copy_peer_on_here, true},
        {copy_peer_to_ordinary, false},
        {copy_to_there, false},
        {fill_rows, true},
        {fill_rows_inside, false},
        {fill_slices, true},
        {fill_rows_pinned, false},
        {copy_described_on_here, true},
        {copy_described_from_here, false},
        {copy_rows_on_here, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (returns_early(calls[i].run, calls[i].early) != calls[i].early)
            fail_msg("call %zu returns %s", i, calls[i].early ? "late" : "early");
}

static void memory_with_synchronous_operations_is_waited_for(void **state) {
    unsigned on = 1;
    unsigned off = 0;
    (void)state;
    assert_hip_ok(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, here));
    assert_false(returns_early(copy_on_here, false));
    assert_false(returns_early(fill_start, false));
    assert_hip_ok(hipPointerSetAttribute(&off, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, here));
    assert_true(returns_early(copy_on_here, true));
}

static void memory_may_be_freed_after_a_call_that_returned_early(void **state) {
    void *memory = NULL;
    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_hip_ok(hipMalloc(&memory, BYTES));
        assert_hip_ok(hipMemset(memory, i, BYTES));
        assert_hip_ok(hipMemcpyPeer(there, 1, memory, 0, BYTES));
        assert_hip_ok(hipFree(memory));
        assert_hip_ok(hipMemcpy(ordinary, there, BYTES, hipMemcpyDefault));
        expect_bytes(ordinary, (char)i);
    }
}

static void only_the_numbers_of_devices_are_checked(void **state) {
    (void)state;
    assert_hip(hipMemcpyPeer(there, 1, here, -1, BYTES), hipErrorInvalidDevice);
    assert_hip(hipMemcpyPeer(there, 2, here, 0, BYTES), hipErrorInvalidDevice);
    assert_hip_ok(hipMemset(here, 0x51, BYTES));
    assert_hip_ok(hipMemcpyPeer(there, 0, here, 1, BYTES)); // the other way round
    assert_hip_ok(hipMemcpy(ordinary, there, BYTES, hipMemcpyDefault));
    expect_bytes(ordinary, 0x51);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_sees_the_work_of_the_device_that_owns_the_memory),
        cmocka_unit_test(a_copy_of_an_array_sees_the_work_of_its_device),
        cmocka_unit_test(later_work_of_the_named_stream_waits_for_the_copy),
        cmocka_unit_test(the_owners_null_stream_waits_for_earlier_work_of_the_named_stream),
        cmocka_unit_test(fills_and_copies_on_devices_return_early_and_others_do_not),
        cmocka_unit_test(memory_with_synchronous_operations_is_waited_for),
        cmocka_unit_test(memory_may_be_freed_after_a_call_that_returned_early),
        cmocka_unit_test(only_the_numbers_of_devices_are_checked),
    };
    return cmocka_run_group_tests(tests, make_memory, free_memory);
}
