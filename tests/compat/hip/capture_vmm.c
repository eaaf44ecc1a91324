// SPDX-License-Identifier: Apache-2.0
// Virtual memory management is never forbidden by a capture: each of its calls, made between begin
// and end of a capture of each mode, by a thread of each mode, succeeds and leaves the capture
// good. The cases that hip-tests names *_Capture.
#include <unistd.h>

#include "support/vmm.h"

static const hipStreamCaptureMode modes[] = {
    hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed};

static void during_a_capture(void (*call)(void), hipStreamCaptureMode mode, unsigned flags) {
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    assert_hip_ok(hipStreamCreateWithFlags(&stream, flags));
    assert_hip_ok(hipStreamBeginCapture(stream, mode));
    call();
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
}

static void in_every_mode(void (*call)(void)) {
    for (int i = 0; i < 9; i++) {
        hipStreamCaptureMode mode = modes[i % 3];
        assert_hip_ok(hipThreadExchangeStreamCaptureMode(&mode));
        during_a_capture(call, modes[i / 3], hipStreamDefault);
        during_a_capture(call, modes[i / 3], hipStreamNonBlocking);
        assert_hip_ok(hipThreadExchangeStreamCaptureMode(&mode));
    }
}

static char *space;   // reserved, nothing mapped
static char *mapped;  // a granule mapped, readable and writable
static handle_t phys; // shareable, mapped nowhere

static void reserve_and_free(void) { assert_hip_ok(hipMemAddressFree(reserve(G), G)); }

static void address_reserve_and_free_capture(void **state) {
    (void)state;
    in_every_mode(reserve_and_free);
}

static void create_and_release(void) { assert_hip_ok(hipMemRelease(create(G))); }

static void create_and_release_capture(void **state) {
    (void)state;
    in_every_mode(create_and_release);
}

static void map_and_unmap(void) {
    assert_hip_ok(hipMemMap(space, G, 0, phys, 0));
    assert_hip_ok(hipMemUnmap(space, G));
}

static void map_and_unmap_capture(void **state) {
    (void)state;
    in_every_mode(map_and_unmap);
}

static void retain(void) {
    handle_t handle = NULL;
    assert_hip_ok(hipMemRetainAllocationHandle(&handle, mapped));
    assert_hip_ok(hipMemRelease(handle));
}

static void retain_allocation_handle_capture(void **state) {
    (void)state;
    in_every_mode(retain);
}

static void set_and_get_access(void) {
    grant(mapped, G, 0, READ);
    assert_true(rights(mapped, 0) == READ);
    grant(mapped, G, 0, READ_WRITE);
    assert_true(rights(mapped, 0) == READ_WRITE);
}

static void set_and_get_access_capture(void **state) {
    (void)state;
    in_every_mode(set_and_get_access);
}

static void granularity(void) {
    hipMemAllocationProp prop = prop_on(0);
    size_t bytes = 0;
    assert_hip_ok(
        hipMemGetAllocationGranularity(&bytes, &prop, hipMemAllocationGranularityMinimum));
    assert_int_equal(bytes, G);
}

static void get_allocation_granularity_capture(void **state) {
    (void)state;
    in_every_mode(granularity);
}

static void properties(void) {
    hipMemAllocationProp prop;
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, phys));
}

static void get_allocation_properties_capture(void **state) {
    (void)state;
    in_every_mode(properties);
}

static void export_and_import(void) {
    int fd = export_fd(phys);
    assert_hip_ok(hipMemRelease(import_fd(fd)));
    assert_int_equal(close(fd), 0);
}

static void export_and_import_capture(void **state) {
    (void)state;
    in_every_mode(export_and_import);
}

static int setup(void **state) {
    int failed = hip_group_setup(state);
    if (failed == 0) {
        space = reserve(G);
        mapped = reserve(G);
        map_fresh(mapped, G);
        phys = create_shared(G);
    }
    return failed;
}

static int teardown(void **state) {
    (void)state;
    assert_hip_ok(hipMemRelease(phys));
    unmap_and_free(mapped, G);
    assert_hip_ok(hipMemAddressFree(space, G));
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(address_reserve_and_free_capture),
        cmocka_unit_test(create_and_release_capture),
        cmocka_unit_test(map_and_unmap_capture),
        cmocka_unit_test(retain_allocation_handle_capture),
        cmocka_unit_test(set_and_get_access_capture),
        cmocka_unit_test(get_allocation_granularity_capture),
        cmocka_unit_test(get_allocation_properties_capture),
        cmocka_unit_test(export_and_import_capture),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
