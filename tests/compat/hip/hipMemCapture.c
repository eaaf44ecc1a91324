// SPDX-License-Identifier: Apache-2.0
// Virtual memory management while a stream captures: none of it is recorded, refused or spoils the
// capture, in any mode.
#include <unistd.h>

#include "support/vmm.h"

static void do_everything(void) {
    hipMemAllocationProp prop = prop_on(0);
    size_t granularity = 0;
    handle_t again = NULL;
    assert_hip_ok(
        hipMemGetAllocationGranularity(&granularity, &prop, hipMemAllocationGranularityMinimum));
    char *at = reserve(2 * G);
    handle_t handle = create_shared(G);
    assert_hip_ok(hipMemGetAllocationPropertiesFromHandle(&prop, handle));
    int fd = export_fd(handle);
    handle_t twin = import_fd(fd);
    assert_int_equal(close(fd), 0);
    assert_hip_ok(hipMemMap(at, G, 0, handle, 0));
    assert_hip_ok(hipMemMap(at + G, G, 0, twin, 0));
    grant(at, 2 * G, 0, READ_WRITE);
    assert_int_equal(rights(at, 0), READ_WRITE);
    assert_hip_ok(hipMemRetainAllocationHandle(&again, at));
    assert_ptr_equal(again, handle);
    at[0] = 4;
    assert_int_equal(at[G], 4);
    assert_hip_ok(hipMemRelease(again));
    assert_hip_ok(hipMemRelease(handle));
    assert_hip_ok(hipMemRelease(twin));
    unmap_and_free(at, 2 * G);
}

static void all_calls_succeed_while_a_stream_captures(void **state) {
    static const hipStreamCaptureMode modes[] = {
        hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed};
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        hipStream_t stream = NULL;
        hipGraph_t graph = NULL;
        size_t nodes = 99;
        assert_hip_ok(hipStreamCreate(&stream));
        assert_hip_ok(hipStreamBeginCapture(stream, modes[i]));
        do_everything();
        assert_hip_ok(hipStreamEndCapture(stream, &graph));
        assert_non_null(graph);
        assert_hip_ok(hipGraphGetNodes(graph, NULL, &nodes));
        assert_int_equal(nodes, 0);
        assert_hip_ok(hipGraphDestroy(graph));
        assert_hip_ok(hipStreamDestroy(stream));
    }
}

// Work that was captured is not running: nobody waits for it.
static void captured_work_does_not_hold_up_unmap(void **state) {
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    char *at = reserve(G);
    (void)state;
    map_fresh(at, G);
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip_ok(hipMemsetAsync(at, 1, G, stream));
    unmap_and_free(at, G);
    assert_hip_ok(hipStreamEndCapture(stream, &graph));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip_ok(hipStreamDestroy(stream));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_calls_succeed_while_a_stream_captures),
        cmocka_unit_test(captured_work_does_not_hold_up_unmap),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
