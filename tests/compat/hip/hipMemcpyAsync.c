// SPDX-License-Identifier: Apache-2.0
// Copies of one row in the order of a stream: who waits for what, and capture.
#include <stdatomic.h>
#include <unistd.h>

#include "support/chunks.h"
#include "support/work.h"

#define BYTES ((size_t)300000)
#define TAKEN ((size_t)1 << 20) // the longest row that is taken

struct fixture {
    hipStream_t stream;
    unsigned char *pinned;
    unsigned char *pinned_back;
    void *device;
};

static unsigned char ordinary[BYTES];

static int setup(void **state) {
    static struct fixture fixture;
    assert_hip_ok(hipStreamCreate(&fixture.stream));
    assert_hip_ok(hipHostMalloc((void **)&fixture.pinned, BYTES, 0));
    assert_hip_ok(hipHostMalloc((void **)&fixture.pinned_back, BYTES, 0));
    assert_hip_ok(hipMalloc(&fixture.device, BYTES));
    for (size_t i = 0; i < BYTES; i++)
        ordinary[i] = fixture.pinned[i] = (unsigned char)(i * 11 >> (i % 3));
    memset(fixture.pinned_back, 0, BYTES);
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *at = *state;
    assert_hip_ok(hipStreamDestroy(at->stream));
    assert_hip_ok(hipHostFree(at->pinned));
    assert_hip_ok(hipHostFree(at->pinned_back));
    assert_hip_ok(hipFree(at->device));
    return 0;
}

// Deadlocks if it is not so.
static void pinned_memory_does_not_hold_the_caller(void **state) {
    struct fixture *at = *state;
    struct gate gate = {0};
    assert_hip_ok(hipLaunchHostFunc(at->stream, pass_gate, &gate));
    assert_hip_ok(hipMemcpyAsync(at->device, at->pinned, BYTES, hipMemcpyHostToDevice, at->stream));
    assert_hip_ok(
        hipMemcpyAsync(at->pinned_back, at->device, BYTES, hipMemcpyDeviceToHost, at->stream));
    assert_int_equal(at->pinned_back[1], 0);
    assert_hip(hipStreamQuery(at->stream), hipErrorNotReady);
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(at->stream));
    assert_memory_equal(at->pinned_back, at->pinned, BYTES);
}

// There is no memory of the caller's to wait for. Deadlocks if it is not so.
static void nothing_to_copy_does_not_hold_the_caller(void **state) {
    struct fixture *at = *state;
    struct gate gate = {0};
    assert_hip_ok(hipLaunchHostFunc(at->stream, pass_gate, &gate));
    assert_hip_ok(hipMemcpyAsync(NULL, NULL, 0, hipMemcpyDefault, at->stream));
    assert_hip_ok(hipMemcpy2DAsync(ordinary, 8, ordinary, 8, 8, 0, hipMemcpyDefault, at->stream));
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(at->stream));
}

static void pass_late(void *passed) {
    (void)usleep(20000);
    atomic_store((atomic_bool *)passed, true);
}

static void ordinary_memory_is_the_callers_again_at_return(void **state) {
    struct fixture *at = *state;
    atomic_bool passed = false;
    assert_hip_ok(hipLaunchHostFunc(at->stream, pass_late, &passed));
    assert_hip_ok(hipMemcpyAsync(at->device, ordinary, BYTES, hipMemcpyHostToDevice, at->stream));
    memset(ordinary, 0, BYTES);
    assert_hip_ok(hipStreamSynchronize(at->stream));
    atomic_store(&passed, false);
    assert_hip_ok(hipLaunchHostFunc(at->stream, pass_late, &passed));
    assert_hip_ok(hipMemcpyAsync(ordinary, at->device, BYTES, hipMemcpyDeviceToHost, at->stream));
    assert_memory_equal(ordinary, at->pinned, BYTES);
}

// Deadlocks if the call waits for the stream.
static void short_ordinary_memory_is_taken_while_the_stream_is_blocked(void **state) {
    struct fixture *at = *state;
    struct gate gate = {0};
    unsigned char *big = malloc(TAKEN);
    unsigned char *back = malloc(TAKEN);
    void *device = NULL;
    assert_non_null(big);
    assert_non_null(back);
    assert_hip_ok(hipMalloc(&device, TAKEN));
    for (int named = 0; named < 2; named++) {
        memset(big, 5 + named, TAKEN);
        atomic_store(&gate.open, false);
        assert_hip_ok(hipLaunchHostFunc(at->stream, pass_gate, &gate));
        assert_hip_ok(named
                          ? hipMemcpyHtoDAsync(device, big, TAKEN, at->stream)
                          : hipMemcpyAsync(device, big, TAKEN, hipMemcpyHostToDevice, at->stream));
        assert_hip_ok(hipMemcpyAsync(device, big, 64, hipMemcpyDefault, at->stream));
        assert_hip(hipStreamQuery(at->stream), hipErrorNotReady);
        memset(big, 0, TAKEN);
        atomic_store(&gate.open, true);
        assert_hip_ok(hipStreamSynchronize(at->stream));
        assert_hip_ok(hipMemcpy(back, device, TAKEN, hipMemcpyDeviceToHost));
        memset(big, 5 + named, TAKEN);
        assert_memory_equal(back, big, TAKEN);
    }
    assert_hip_ok(hipFree(device));
    free(big);
    free(back);
}

// A copy of rows, or of one row by the function for rows, a longer one, one to the CPU: these wait, as AMD's library does.
static void other_ordinary_memory_is_waited_for(void **state) {
    struct fixture *at = *state;
    unsigned char *big = calloc(1, TAKEN + 1);
    atomic_bool passed = false;
    void *device = NULL;
    assert_non_null(big);
    assert_hip_ok(hipMalloc(&device, TAKEN + 1));
    for (int i = 0; i < 4; i++) {
        atomic_store(&passed, false);
        assert_hip_ok(hipLaunchHostFunc(at->stream, pass_late, &passed));
        assert_hip_ok(
            i == 0   ? hipMemcpy2DAsync(device, 8, big, 8, 8, 2, hipMemcpyHostToDevice, at->stream)
            : i == 3 ? hipMemcpy2DAsync(device, 8, big, 8, 8, 1, hipMemcpyHostToDevice, at->stream)
            : i == 1 ? hipMemcpyAsync(device, big, TAKEN + 1, hipMemcpyHostToDevice, at->stream)
                     : hipMemcpyAsync(big, device, 8, hipMemcpyDeviceToHost, at->stream));
        assert_true(atomic_load(&passed));
    }
    assert_hip_ok(hipFree(device));
    free(big);
}

static void registered_memory_counts_as_pinned(void **state) {
    struct fixture *at = *state;
    struct gate gate = {0};
    assert_hip_ok(hipHostRegister(ordinary, BYTES, 0));
    assert_hip_ok(hipLaunchHostFunc(at->stream, pass_gate, &gate));
    assert_hip_ok(hipMemcpyAsync(at->device, ordinary, BYTES, hipMemcpyHostToDevice, at->stream));
    atomic_store(&gate.open, true);
    assert_hip_ok(hipStreamSynchronize(at->stream));
    assert_hip_ok(hipHostUnregister(ordinary));
}

static void directions_by_name_are_in_order(void **state) {
    struct fixture *at = *state;
    void *other = NULL;
    assert_hip_ok(hipMalloc(&other, BYTES));
    assert_hip_ok(hipMemcpyHtoDAsync(at->device, at->pinned, BYTES, at->stream));
    assert_hip_ok(hipMemcpyDtoDAsync(other, at->device, BYTES, at->stream));
    assert_hip_ok(hipMemcpyDtoHAsync(at->pinned_back, other, BYTES, at->stream));
    assert_hip_ok(hipStreamSynchronize(at->stream));
    assert_memory_equal(at->pinned_back, at->pinned, BYTES);
    assert_hip_ok(hipFree(other));
}

static void stream_of_the_thread_is_used(void **state) {
    struct fixture *at = *state;
    assert_hip_ok(hipMemcpyAsync_spt(at->device, at->pinned, BYTES, hipMemcpyHostToDevice, NULL));
    assert_hip_ok(
        hipMemcpyAsync_spt(at->pinned_back, at->device, BYTES, hipMemcpyDeviceToHost, NULL));
    assert_hip_ok(hipStreamSynchronize(hipStreamPerThread));
    assert_memory_equal(at->pinned_back, at->pinned, BYTES);
}

static void bad_arguments_are_refused(void **state) {
    struct fixture *at = *state;
    hipStream_t bad = (hipStream_t)4711;
    assert_hip(hipMemcpyAsync(NULL, ordinary, 1, hipMemcpyDefault, at->stream),
               hipErrorInvalidValue);
    assert_hip(hipMemcpyAsync(at->device, NULL, 1, hipMemcpyDefault, at->stream),
               hipErrorInvalidValue);
    assert_hip(hipMemcpyAsync(at->device, ordinary, 1, (hipMemcpyKind)7, at->stream),
               hipErrorInvalidMemcpyDirection);
    assert_hip(hipMemcpyAsync(at->device, ordinary, 1, hipMemcpyDefault, bad),
               hipErrorContextIsDestroyed);
    assert_hip(hipMemcpyAsync(at->device, ordinary, 0, hipMemcpyDefault, bad),
               hipErrorContextIsDestroyed);
    assert_hip(hipMemcpyHtoDAsync(NULL, ordinary, 1, at->stream), hipErrorInvalidValue);
    assert_hip(hipMemcpyDtoHAsync(NULL, at->device, 1, at->stream), hipErrorInvalidValue);
    assert_hip(hipMemcpyDtoDAsync(at->device, NULL, 1, at->stream), hipErrorInvalidValue);
    assert_hip_ok(hipMemcpyAsync(NULL, NULL, 0, hipMemcpyDefault, at->stream));
    assert_hip_ok(hipStreamSynchronize(at->stream));
}

// Holes and missing rights are reported at the call, and the stream goes on.
static void memory_is_checked_at_the_call(void **state) {
    static const struct chunk each[] = {{0, 0, hipMemAccessFlagsProtRead}, CHUNK_HOLE};
    struct fixture *at = *state;
    struct chunks range = chunks_make(2, each);
    assert_hip(hipMemcpyAsync(range.base, at->pinned, 16, hipMemcpyDefault, at->stream),
               hipErrorInvalidValue);
    assert_hip(
        hipMemcpyAsync(at->pinned, range.base + CHUNK_BYTES - 1, 2, hipMemcpyDefault, at->stream),
        hipErrorInvalidValue);
    assert_hip_ok(hipMemcpyAsync(at->pinned, range.base, 16, hipMemcpyDefault, at->stream));
    assert_hip_ok(hipStreamSynchronize(at->stream));
    chunks_end(&range);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pinned_memory_does_not_hold_the_caller, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_to_copy_does_not_hold_the_caller, setup, teardown),
        cmocka_unit_test_setup_teardown(ordinary_memory_is_the_callers_again_at_return, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(short_ordinary_memory_is_taken_while_the_stream_is_blocked,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(other_ordinary_memory_is_waited_for, setup, teardown),
        cmocka_unit_test_setup_teardown(registered_memory_counts_as_pinned, setup, teardown),
        cmocka_unit_test_setup_teardown(directions_by_name_are_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(stream_of_the_thread_is_used, setup, teardown),
        cmocka_unit_test_setup_teardown(bad_arguments_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_is_checked_at_the_call, setup, teardown),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
