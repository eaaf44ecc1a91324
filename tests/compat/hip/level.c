// SPDX-License-Identifier: Apache-2.0
// The releases differ outside of virtual memory management, too: TARN_HIP_COMPAT selects one.
// Each test runs in a process for each level.
#include "support/hip.h"

static void at_level(const char *level, void (*body)(void *arg)) {
    hip_in_child(body, NULL, "TARN_HIP_COMPAT", level, NULL);
}

static void refuse_nothing_freed(void *arg) {
    (void)arg;
    assert_hip(hipFreeAsync(NULL, NULL), hipErrorInvalidValue);
}

static void free_nothing(void *arg) {
    (void)arg;
    assert_hip_ok(hipFreeAsync(NULL, NULL));
}

static void only_level_7_frees_nothing_in_a_stream(void **state) {
    (void)state;
    at_level("6", refuse_nothing_freed);
    at_level("7", free_nothing);
}

static void copy_as_the_driver_describes(void *arg) {
    unsigned char from[4] = {1, 2, 3, 4}, to[4] = {0};
    const HIP_MEMCPY3D copy = {.srcMemoryType = hipMemoryTypeHost,
                               .srcHost = from,
                               .dstMemoryType = hipMemoryTypeHost,
                               .dstHost = to,
                               .WidthInBytes = sizeof to,
                               .Height = 1,
                               .Depth = 1};
    (void)arg;
    assert_hip_ok(hipDrvMemcpy3D(&copy));
    assert_memory_equal(to, from, sizeof to);
}

static void both_levels_copy_as_the_driver_describes(void **state) {
    (void)state;
    at_level("6", copy_as_the_driver_describes);
    at_level("7", copy_as_the_driver_describes);
}

static hipMemPool_t make_pool(void) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    hipMemPool_t pool = NULL;
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    return pool;
}

static hipError_t set_rights(hipMemPool_t pool, int device, hipMemAccessFlags flags) {
    hipMemAccessDesc desc = {{hipMemLocationTypeDevice, device}, flags};
    return hipMemPoolSetAccess(pool, &desc, 1);
}

static hipMemAccessFlags rights(hipMemPool_t pool, int device) {
    hipMemAccessFlags flags = (hipMemAccessFlags)77;
    hipMemLocation location = {hipMemLocationTypeDevice, device};
    assert_hip_ok(hipMemPoolGetAccess(&flags, pool, &location));
    return flags;
}

static void keep_all_rights(void *arg) {
    hipMemPool_t pool = make_pool();
    (void)arg;
    assert_hip(set_rights(pool, 0, hipMemAccessFlagsProtNone), hipErrorInvalidDevice);
    assert_hip_ok(set_rights(pool, 1, hipMemAccessFlagsProtReadWrite));
    assert_hip(set_rights(pool, 1, hipMemAccessFlagsProtNone), hipErrorInvalidDevice);
    assert_int_equal(rights(pool, 1), hipMemAccessFlagsProtReadWrite);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void keep_own_rights(void *arg) {
    hipMemPool_t pool = make_pool();
    (void)arg;
    assert_hip(set_rights(pool, 0, hipMemAccessFlagsProtNone), hipErrorInvalidDevice);
    assert_hip(set_rights(pool, 0, hipMemAccessFlagsProtRead), hipErrorNotSupported);
    assert_int_equal(rights(pool, 0), hipMemAccessFlagsProtReadWrite);
    assert_hip_ok(set_rights(pool, 1, hipMemAccessFlagsProtReadWrite));
    assert_hip_ok(set_rights(pool, 1, hipMemAccessFlagsProtNone));
    assert_int_equal(rights(pool, 1), hipMemAccessFlagsProtNone);
    assert_hip_ok(hipMemPoolDestroy(pool));
}

static void only_level_7_takes_rights_to_a_pool_away(void **state) {
    (void)state;
    at_level("6", keep_all_rights);
    at_level("7", keep_own_rights);
}

// Calls that level 7 forbids in a global capture. They are refused, or they succeed and change
// nothing that lasts.
static void make_calls(hipError_t want) {
    hipMemPoolProps props = {.allocType = hipMemAllocationTypePinned,
                             .location = {hipMemLocationTypeDevice, 0}};
    hipMemPool_t pool = NULL;
    hipMemPool_t other = NULL;
    hipStream_t stream = NULL;
    hipEvent_t event = NULL;
    void *managed = NULL;
    assert_hip_ok(hipMemPoolCreate(&pool, &props));
    assert_hip_ok(hipMallocManaged(&managed, 4096, hipMemAttachGlobal));
    assert_hip_ok(hipEventCreate(&event));
    assert_hip_ok(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip(hipDeviceSetMemPool(0, pool), want);
    assert_hip(hipMemPoolCreate(&other, &props), want);
    assert_hip(hipDeviceSetCacheConfig(hipFuncCachePreferNone), want);
    assert_hip(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeDefault), want);
    assert_hip(hipMemAdvise(managed, 4096, hipMemAdviseSetReadMostly, 0), want);
    assert_hip(hipEventQuery(event), want);
    assert_hip(hipMemPoolDestroy(pool), want);
    hipGraph_t graph = NULL;
    assert_hip(hipStreamEndCapture(stream, &graph),
               want == hipSuccess ? hipSuccess : hipErrorStreamCaptureInvalidated);
}

static void allow_calls(void *arg) {
    (void)arg;
    make_calls(hipSuccess);
}

static void refuse_calls(void *arg) {
    (void)arg;
    make_calls(hipErrorStreamCaptureUnsupported);
}

static void level_7_forbids_more_calls_in_a_capture(void **state) {
    (void)state;
    at_level("6", allow_calls);
    at_level("7", refuse_calls);
}

// ---- memory

static void use_memory_at_7(void *arg) {
    char *page = aligned_alloc(4096, 4096);
    hipPointerAttribute_t attributes;
    unsigned flags = 0x77;
    void *ptr = NULL;
    void *device = NULL;
    int version = 0;
    (void)arg;
    assert_non_null(page);
    assert_hip_ok(hipHostRegister(page, 4096, hipHostRegisterPortable));
    assert_hip_ok(hipHostGetFlags(&flags, page));
    assert_int_equal(flags, hipHostRegisterPortable);
    assert_hip(hipHostMalloc(&ptr, 16, 0x10), hipErrorInvalidValue);
    assert_non_null(strstr(hipExtGetLastErrorText(), "0x10"));
    assert_hip_ok(hipMallocManaged(&ptr, 16, hipMemAttachHost));
    assert_hip_ok(hipPointerGetAttributes(&attributes, ptr));
    assert_int_equal(attributes.allocationFlags, hipMemAttachHost);
    assert_hip_ok(hipMalloc(&device, 16));
    assert_hip(hipHostGetDevicePointer(&ptr, device, 0), hipErrorInvalidValue);
    assert_hip_ok(hipCtxGetApiVersion(NULL, &version));
    assert_int_equal(version, 4);
    assert_hip_ok(hipHostUnregister(page));
    free(page);
}

static void level_7_tells_flags_and_versions_that_level_6_does_not(void **state) {
    (void)state;
    at_level("7", use_memory_at_7);
}

static void measure_null(void *level) {
    bool seven = *(const char *)level == '7';
    size_t bytes = 9;
    assert_hip(hipMemPtrGetInfo(NULL, &bytes), seven ? hipSuccess : hipErrorInvalidValue);
    assert_int_equal(bytes, seven ? 0 : 9);
}

static void ask_for_limits(void *level) {
    bool seven = *(const char *)level == '7';
    const hipError_t no = seven ? hipErrorUnsupportedLimit : hipErrorInvalidValue;
    const struct {
        int limit;
        hipError_t error;
    } limits[] = {{-1, hipErrorInvalidValue},
                  {1, hipErrorUnsupportedLimit},
                  {3, no},
                  {0x1002, no},
                  {0x1003, hipErrorInvalidValue}};
    size_t value = 7;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        enum hipLimit_t limit = (enum hipLimit_t)limits[i].limit;
        assert_hip(hipDeviceGetLimit(&value, limit), limits[i].error);
        assert_hip(hipDeviceSetLimit(limit, 64), limits[i].error);
    }
    assert_int_equal(value, 7);
}

static void the_size_of_nothing_is_0_at_level_7_only(void **state) {
    (void)state;
    hip_in_child(measure_null, (void *)(uintptr_t) "6", "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(measure_null, (void *)(uintptr_t) "7", "TARN_HIP_COMPAT", "7", NULL);
}

static void each_level_has_its_own_unsupported_limits(void **state) {
    (void)state;
    hip_in_child(ask_for_limits, (void *)(uintptr_t) "6", "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(ask_for_limits, (void *)(uintptr_t) "7", "TARN_HIP_COMPAT", "7", NULL);
}

// ---- graphs

static void destroy_twice(void *want) {
    hipGraph_t graph = NULL;
    assert_hip_ok(hipGraphCreate(&graph, 0));
    assert_hip_ok(hipGraphDestroy(graph));
    assert_hip(hipGraphDestroy(graph), *(hipError_t *)want);
    assert_hip(hipGraphDestroy(NULL), hipErrorInvalidValue);
}

static void a_destroyed_graph_has_a_code_of_its_level(void **state) {
    hipError_t at_6 = hipErrorIllegalState;
    hipError_t at_7 = hipErrorInvalidValue;
    (void)state;
    hip_in_child(destroy_twice, &at_6, "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(destroy_twice, &at_7, "TARN_HIP_COMPAT", "7", NULL);
}

// Launches an empty graph on the NULL stream while a blocking stream captures.
static void launch_beside_a_capture(void *want) {
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    assert_hip_ok(hipStreamCreate(&stream));
    assert_hip_ok(hipGraphCreate(&graph, 0));
    assert_hip_ok(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    assert_hip_ok(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    assert_hip(hipGraphLaunch(exec, NULL), *(hipError_t *)want);
    assert_hip(hipStreamEndCapture(stream, &graph),
               *(hipError_t *)want == hipSuccess ? hipSuccess : hipErrorStreamCaptureInvalidated);
}

static void only_level_7_refuses_a_launch_on_the_null_stream_beside_a_capture(void **state) {
    hipError_t at_6 = hipSuccess;
    hipError_t at_7 = hipErrorStreamCaptureImplicit;
    (void)state;
    hip_in_child(launch_beside_a_capture, &at_6, "TARN_HIP_COMPAT", "6", NULL);
    hip_in_child(launch_beside_a_capture, &at_7, "TARN_HIP_COMPAT", "7", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_level_7_frees_nothing_in_a_stream),
        cmocka_unit_test(both_levels_copy_as_the_driver_describes),
        cmocka_unit_test(level_7_forbids_more_calls_in_a_capture),
        cmocka_unit_test(only_level_7_takes_rights_to_a_pool_away),
        cmocka_unit_test(level_7_tells_flags_and_versions_that_level_6_does_not),
        cmocka_unit_test(the_size_of_nothing_is_0_at_level_7_only),
        cmocka_unit_test(each_level_has_its_own_unsupported_limits),
        cmocka_unit_test(a_destroyed_graph_has_a_code_of_its_level),
        cmocka_unit_test(only_level_7_refuses_a_launch_on_the_null_stream_beside_a_capture),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
