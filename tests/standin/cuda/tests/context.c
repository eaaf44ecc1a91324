// SPDX-License-Identifier: Apache-2.0
// Contexts of the stand-in: the current one, the calls that need one, and faults.
#include "standin/cuda/tests/cuda.h"

#include "support/gate.h"

static void a_context_is_one_for_each_device_and_counted(void **state) {
    const struct scene *scene = *state;
    tn_cu_context again = NULL;
    assert_good(cuDevicePrimaryCtxRetain(&again, 0));
    assert_ptr_equal(again, scene->context[0]);
    assert_ptr_not_equal(scene->context[0], scene->context[1]);
    assert_good(cuDevicePrimaryCtxRelease_v2(0));
    assert_cu(cuDevicePrimaryCtxRetain(&again, 2), TN_CU_INVALID_DEVICE);
    assert_cu(cuDevicePrimaryCtxRetain(NULL, 0), TN_CU_INVALID_VALUE);
}

static void the_stack_gives_back_what_was_current(void **state) {
    const struct scene *scene = *state;
    tn_cu_context context = NULL;
    assert_good(cuCtxPushCurrent_v2(scene->context[1]));
    assert_good(cuCtxGetCurrent(&context));
    assert_ptr_equal(context, scene->context[1]);
    assert_good(cuCtxPopCurrent_v2(&context));
    assert_ptr_equal(context, scene->context[1]);
    assert_good(cuCtxGetCurrent(&context));
    assert_ptr_equal(context, scene->context[0]);
    assert_cu(cuCtxPushCurrent_v2((tn_cu_context)0x1234), TN_CU_INVALID_CONTEXT);
}

static void without_a_context_there_is_no_memory_and_no_stream(void **state) {
    const struct scene *scene = *state;
    tn_cu_context context = NULL;
    tn_cu_address address = 0;
    tn_cu_stream stream = NULL;
    tn_cu_event event = NULL;
    assert_good(cuCtxPopCurrent_v2(&context));
    assert_cu(cuCtxPopCurrent_v2(&context), TN_CU_INVALID_CONTEXT);
    assert_cu(cuMemAlloc_v2(&address, 100), TN_CU_INVALID_CONTEXT);
    assert_cu(cuStreamCreate(&stream, 0), TN_CU_INVALID_CONTEXT);
    assert_cu(cuEventCreate(&event, 0), TN_CU_INVALID_CONTEXT);
    assert_cu(cuMemcpyAsync(1, 2, 3, NULL), TN_CU_INVALID_CONTEXT);
    assert_good(cuCtxPushCurrent_v2(scene->context[0]));
}

static void a_released_context_is_gone_with_its_memory(void **state) {
    const struct scene *scene = *state;
    tn_cu_address address = 0;
    tn_cu_context context = scene->context[1];
    size_t before = 0;
    size_t after = 0;
    size_t total = 0;
    assert_good(cuCtxPushCurrent_v2(context));
    assert_good(cuMemGetInfo_v2(&before, &total));
    assert_good(cuMemAlloc_v2(&address, 1 << 20));
    assert_good(cuCtxPopCurrent_v2(NULL));
    assert_good(cuDevicePrimaryCtxRelease_v2(1));
    assert_cu(cuDevicePrimaryCtxRelease_v2(1), TN_CU_INVALID_CONTEXT);
    assert_cu(cuCtxPushCurrent_v2(context), TN_CU_INVALID_CONTEXT);
    assert_good(cuDevicePrimaryCtxRetain(&context, 1));
    assert_ptr_not_equal(context, scene->context[1]);
    assert_good(cuCtxPushCurrent_v2(context));
    assert_good(cuMemGetInfo_v2(&after, &total));
    assert_int_equal(before, after);
    assert_good(cuCtxPopCurrent_v2(NULL));
}

static tn_cu_result inside;

static void call_the_driver(void *stream) { inside = cuStreamQuery((tn_cu_stream)stream); }

static void a_host_function_may_not_call_the_driver(void **state) {
    (void)state;
    tn_cu_stream stream = NULL;
    assert_good(cuStreamCreate(&stream, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuLaunchHostFunc(stream, call_the_driver, stream));
    assert_good(cuStreamSynchronize(stream));
    assert_cu(inside, TN_CU_NOT_PERMITTED);
    assert_good(cuStreamDestroy_v2(stream));
}

// Memory that is unmapped behind a closed gate is gone when the fill runs.
static void a_fault_kills_its_context_and_no_other(void **state) {
    const struct scene *scene = *state;
    struct gate gate = {0};
    tn_cu_properties properties = {.type = TN_CU_PINNED, .location = {TN_CU_LOCATION_DEVICE, 0}};
    tn_cu_access access = {{TN_CU_LOCATION_DEVICE, 0}, TN_CU_ACCESS_READ_WRITE};
    tn_cu_address address = 0;
    tn_cu_phys phys = 0;
    tn_cu_stream stream = NULL;
    size_t g = 0;
    assert_good(cuMemGetAllocationGranularity(&g, &properties, TN_CU_GRANULARITY_MINIMUM));
    assert_good(cuMemAddressReserve(&address, g, 0, 0, 0));
    assert_good(cuMemCreate(&phys, g, &properties, 0));
    assert_good(cuMemMap(address, g, 0, phys, 0));
    assert_good(cuMemRelease(phys));
    assert_good(cuMemSetAccess(address, g, &access, 1));
    assert_good(cuStreamCreate(&stream, TN_CU_STREAM_NON_BLOCKING));
    assert_good(cuLaunchHostFunc(stream, pass_gate, &gate));
    assert_good(cuMemsetD8Async(address, 1, g, stream));
    assert_good(cuMemUnmap(address, g));
    atomic_store(&gate.open, true);
    assert_cu(cuStreamSynchronize(stream), TN_CU_ILLEGAL_ADDRESS);
    assert_cu(cuMemAlloc_v2(&address, 100), TN_CU_ILLEGAL_ADDRESS);
    assert_cu(cuStreamDestroy_v2(stream), TN_CU_ILLEGAL_ADDRESS);
    assert_good(cuMemAddressFree(address, g)); // no context is asked for
    assert_good(cuCtxPushCurrent_v2(scene->context[1]));
    assert_good(cuMemAlloc_v2(&address, 100));
    assert_good(cuMemFree_v2(address));
    assert_good(cuCtxPopCurrent_v2(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENE_TEST(a_context_is_one_for_each_device_and_counted),
        SCENE_TEST(the_stack_gives_back_what_was_current),
        SCENE_TEST(without_a_context_there_is_no_memory_and_no_stream),
        SCENE_TEST(a_released_context_is_gone_with_its_memory),
        SCENE_TEST(a_host_function_may_not_call_the_driver),
        SCENE_TEST(a_fault_kills_its_context_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
