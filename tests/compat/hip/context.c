// SPDX-License-Identifier: Apache-2.0
// Contexts: the stack of each thread, and what the device's functions say of it.
#include <pthread.h>

#include "support/hip.h"

static hipCtx_t primary(int device) {
    hipCtx_t ctx = NULL;
    assert_hip_ok(hipDevicePrimaryCtxRetain(&ctx, device));
    assert_hip_ok(hipDevicePrimaryCtxRelease(device));
    return ctx;
}

static void assert_current(hipCtx_t want, int device) {
    hipCtx_t ctx = NULL;
    hipDevice_t by_context = -1;
    int by_device = -1;
    assert_hip_ok(hipCtxGetCurrent(&ctx));
    assert_ptr_equal(ctx, want);
    assert_hip_ok(hipCtxGetDevice(&by_context));
    assert_int_equal(by_context, device);
    assert_hip_ok(hipGetDevice(&by_device));
    assert_int_equal(by_device, device);
}

static void the_primary_context_of_the_device_is_current_at_first(void **state) {
    (void)state;
    assert_ptr_not_equal(primary(0), primary(1));
    assert_current(primary(0), 0);
    assert_hip_ok(hipSetDevice(1));
    assert_current(primary(1), 1);
    assert_hip_ok(hipSetDevice(0));
}

static void contexts_are_pushed_and_popped(void **state) {
    hipCtx_t a = NULL;
    hipCtx_t b = NULL;
    hipCtx_t popped = NULL;
    (void)state;
    assert_hip_ok(hipCtxCreate(&a, 0, 1));
    assert_current(a, 1);
    assert_hip_ok(hipCtxCreate(&b, 0, 0));
    assert_current(b, 0);
    assert_hip_ok(hipCtxPopCurrent(&popped));
    assert_ptr_equal(popped, b);
    assert_current(a, 1);
    assert_hip_ok(hipCtxPushCurrent(b));
    assert_current(b, 0);
    assert_hip_ok(hipCtxPopCurrent(NULL));
    assert_hip_ok(hipCtxPopCurrent(&popped));
    assert_ptr_equal(popped, a);
    assert_current(primary(0), 0);
    assert_hip(hipCtxPopCurrent(&popped), hipErrorInvalidContext);
    assert_hip_ok(hipCtxDestroy(a));
    assert_hip_ok(hipCtxDestroy(b));
}

static void set_current_replaces_the_top(void **state) {
    hipCtx_t a = NULL;
    (void)state;
    assert_hip_ok(hipCtxCreate(&a, 0, 0));
    assert_hip_ok(hipCtxSetCurrent(primary(1)));
    assert_current(primary(1), 1);
    assert_hip_ok(hipCtxSetCurrent(a));
    assert_current(a, 0);
    assert_hip_ok(hipSetDevice(1)); // so does hipSetDevice()
    assert_current(primary(1), 1);
    assert_hip_ok(hipCtxSetCurrent(NULL));
    assert_current(primary(0), 0);
    assert_hip_ok(hipCtxSetCurrent(NULL));
    assert_current(primary(0), 0);
    assert_hip_ok(hipCtxDestroy(a));
}

static void destroying_the_current_context_pops_it(void **state) {
    hipCtx_t a = NULL;
    (void)state;
    assert_hip_ok(hipCtxCreate(&a, 0, 1));
    assert_hip_ok(hipCtxDestroy(a));
    assert_current(primary(0), 0);
    assert_hip(hipCtxDestroy(a), hipErrorInvalidContext);
    assert_hip(hipCtxPushCurrent(a), hipErrorInvalidContext);
    assert_hip(hipCtxSetCurrent(a), hipErrorInvalidContext);
}

static void what_is_no_context_is_refused(void **state) {
    int version = 7;
    hipCtx_t none[] = {NULL, (hipCtx_t)&version};
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_hip(hipCtxDestroy(none[i]), hipErrorInvalidContext);
        assert_hip(hipCtxPushCurrent(none[i]), hipErrorInvalidContext);
        assert_hip(hipCtxEnablePeerAccess(none[i], 0), hipErrorInvalidContext);
        assert_hip(hipCtxDisablePeerAccess(none[i]), hipErrorInvalidContext);
    }
    assert_hip(hipCtxSetCurrent(none[1]), hipErrorInvalidContext);
    assert_hip(hipCtxGetApiVersion(none[1], &version), hipErrorNotSupported); // at level 6
    assert_hip(hipCtxDestroy(primary(0)), hipErrorInvalidContext);
    assert_int_equal(version, 7);
    assert_current(primary(0), 0);
}

static void bad_arguments_make_no_context(void **state) {
    hipCtx_t ctx = NULL;
    (void)state;
    assert_hip(hipCtxCreate(NULL, 0, 0), hipErrorInvalidValue);
    assert_hip(hipCtxCreate(&ctx, 0x100, 0), hipErrorInvalidValue);
    assert_hip(hipCtxCreate(&ctx, hipDeviceScheduleSpin | hipDeviceScheduleYield, 0),
               hipErrorInvalidValue);
    assert_hip(hipCtxCreate(&ctx, 0, 2), hipErrorInvalidDevice);
    assert_hip(hipCtxCreate(&ctx, 0, -1), hipErrorInvalidDevice);
    assert_null(ctx);
    assert_hip(hipCtxGetCurrent(NULL), hipErrorInvalidValue);
    assert_hip(hipCtxGetDevice(NULL), hipErrorInvalidValue);
    assert_hip(hipCtxGetFlags(NULL), hipErrorInvalidValue);
    assert_hip(hipCtxGetApiVersion(NULL, NULL), hipErrorNotSupported);
    assert_current(primary(0), 0);
}

static void the_stack_has_an_end(void **state) {
    hipCtx_t ctx = NULL;
    (void)state;
    for (int i = 0; i < 64; i++) assert_hip_ok(hipCtxPushCurrent(primary(1)));
    assert_hip(hipCtxPushCurrent(primary(0)), hipErrorOutOfMemory);
    assert_hip(hipCtxCreate(&ctx, 0, 0), hipErrorOutOfMemory);
    assert_null(ctx);
    assert_current(primary(1), 1);
    for (int i = 0; i < 64; i++) assert_hip_ok(hipCtxPopCurrent(NULL));
    assert_current(primary(0), 0);
}

static void contexts_remember_their_flags(void **state) {
    hipCtx_t ctx = NULL;
    unsigned flags = 99;
    unsigned of_device = 98;
    (void)state;
    assert_hip_ok(hipCtxCreate(&ctx, hipDeviceScheduleYield | hipDeviceMapHost, 0));
    assert_hip_ok(hipCtxGetFlags(&flags));
    assert_int_equal(flags, hipDeviceScheduleYield | hipDeviceMapHost);
    assert_hip_ok(hipGetDeviceFlags(&of_device));
    assert_int_equal(of_device, flags);
    assert_hip_ok(hipCtxDestroy(ctx));
    assert_hip_ok(hipCtxGetFlags(&flags));
    assert_int_equal(flags, 0);
    assert_hip_ok(hipGetDeviceFlags(&of_device));
    assert_int_equal(flags, of_device);
}

static void functions_of_the_device_answer_for_the_context(void **state) {
    hipFuncCache_t cache = hipFuncCachePreferNone;
    hipSharedMemConfig banks = hipSharedMemBankSizeDefault;
    (void)state;
    assert_hip_ok(hipCtxSynchronize());
    assert_hip_ok(hipCtxSetCacheConfig(hipFuncCachePreferL1));
    assert_hip_ok(hipDeviceGetCacheConfig(&cache));
    assert_int_equal(cache, hipFuncCachePreferL1);
    assert_hip_ok(hipCtxGetCacheConfig(&cache));
    assert_int_equal(cache, hipFuncCachePreferL1);
    assert_hip_ok(hipCtxSetSharedMemConfig(hipSharedMemBankSizeFourByte));
    assert_hip_ok(hipCtxGetSharedMemConfig(&banks));
    assert_int_equal(banks, hipSharedMemBankSizeFourByte);
    assert_hip_ok(hipCtxEnablePeerAccess(primary(1), 0));
    assert_hip(hipDeviceEnablePeerAccess(1, 0), hipErrorPeerAccessAlreadyEnabled);
    assert_hip_ok(hipCtxDisablePeerAccess(primary(1)));
    assert_hip(hipCtxDisablePeerAccess(primary(1)), hipErrorPeerAccessNotEnabled);
}

// ---- primary contexts

static void primary_contexts_count_their_uses(void **state) {
    hipCtx_t ctx = NULL;
    int active = 7;
    unsigned flags = 99;
    (void)state;
    assert_hip(hipDevicePrimaryCtxRetain(NULL, 0), hipErrorInvalidValue);
    assert_hip(hipDevicePrimaryCtxRetain(&ctx, 2), hipErrorInvalidDevice);
    assert_hip(hipDevicePrimaryCtxRelease(-1), hipErrorInvalidDevice);
    assert_hip(hipDevicePrimaryCtxGetState(2, &flags, &active), hipErrorInvalidDevice);
    assert_hip(hipDevicePrimaryCtxSetFlags(2, 0), hipErrorInvalidDevice);
    assert_hip(hipDevicePrimaryCtxSetFlags(1, 0x100), hipErrorInvalidValue);
    assert_null(ctx);
    assert_hip(hipDevicePrimaryCtxRelease(1), hipErrorInvalidContext);
    assert_hip_ok(hipDevicePrimaryCtxGetState(1, &flags, &active));
    assert_int_equal(active, 0);
    assert_hip_ok(hipDevicePrimaryCtxRetain(&ctx, 1));
    assert_hip_ok(hipDevicePrimaryCtxGetState(1, NULL, &active));
    assert_int_equal(active, 1);
    assert_hip_ok(hipDevicePrimaryCtxSetFlags(1, hipDeviceScheduleYield));
    assert_hip_ok(hipDevicePrimaryCtxGetState(1, &flags, NULL));
    assert_int_equal(flags, hipDeviceScheduleYield);
    assert_current(primary(0), 0);
    assert_hip_ok(hipDevicePrimaryCtxRelease(1));
    assert_hip(hipDevicePrimaryCtxRelease(1), hipErrorInvalidContext);
    assert_hip_ok(hipDevicePrimaryCtxGetState(0, NULL, &active));
    assert_int_equal(active, 1); // current on this thread
}

// ---- threads

static void *use_stack(void *arg) {
    assert_current(primary(0), 0);
    assert_hip_ok(hipCtxPushCurrent(arg));
    assert_current(arg, 1);
    return NULL;
}

static void each_thread_has_a_stack_of_its_own(void **state) {
    hipCtx_t ctx = NULL;
    pthread_t threads[4];
    (void)state;
    assert_hip_ok(hipCtxCreate(&ctx, 0, 1));
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_stack, ctx), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_current(ctx, 1);
    assert_hip_ok(hipCtxDestroy(ctx));
}

static void begin_anew(void *arg) {
    assert_hip(hipCtxPushCurrent(arg), hipErrorInvalidContext);
    assert_hip(hipDevicePrimaryCtxRelease(0), hipErrorInvalidContext);
    hipCtx_t ctx = NULL;
    assert_hip_ok(hipCtxGetCurrent(&ctx));
    assert_ptr_equal(ctx, primary(0));
}

static void a_child_has_contexts_of_its_own(void **state) {
    hipCtx_t ctx = NULL;
    (void)state;
    assert_hip_ok(hipCtxCreate(&ctx, 0, 0));
    hip_in_child(begin_anew, ctx, NULL);
    assert_hip_ok(hipCtxDestroy(ctx));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_primary_context_of_the_device_is_current_at_first),
        cmocka_unit_test(contexts_are_pushed_and_popped),
        cmocka_unit_test(set_current_replaces_the_top),
        cmocka_unit_test(destroying_the_current_context_pops_it),
        cmocka_unit_test(what_is_no_context_is_refused),
        cmocka_unit_test(bad_arguments_make_no_context),
        cmocka_unit_test(the_stack_has_an_end),
        cmocka_unit_test(contexts_remember_their_flags),
        cmocka_unit_test(functions_of_the_device_answer_for_the_context),
        cmocka_unit_test(primary_contexts_count_their_uses),
        cmocka_unit_test(each_thread_has_a_stack_of_its_own),
        cmocka_unit_test(a_child_has_contexts_of_its_own),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
