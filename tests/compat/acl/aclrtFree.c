// SPDX-License-Identifier: Apache-2.0
// aclrtFree(), aclrtFreeWithDevSync() (spec 3.3), and the calls about caches (3.2).
#include "support/work.h"

static void *allocate(size_t size) {
    void *ptr = NULL;
    assert_acl_ok(aclrtMalloc(&ptr, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return ptr;
}

// V5
static void only_starts_of_live_memory_can_be_freed(void **state) {
    char *ptr = allocate(1000);
    void *ordinary = malloc(64);
    (void)state;
    assert_acl(aclrtFree(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtFree(ptr + 64), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "inside device memory of 1056 bytes"));
    assert_acl_ok(aclrtFree(ptr));
    assert_acl(aclrtFree(ptr), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "freed already"));
    assert_acl(aclrtFree(ordinary), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFree((void *)(uintptr_t)8), ACL_ERROR_RT_PARAM_INVALID);
    free(ordinary);
}

static void freeing_needs_no_context(void **state) {
    void *ptr = allocate(1);
    (void)state;
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl(aclrtFreeWithDevSync(ptr), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtFree(ptr));
    assert_acl_ok(aclrtSetDevice(0));
}

// The stream is held up all the while.
static void nothing_waits_for_streams(void **state) {
    struct gate gate = {.open = false};
    aclrtStream stream = NULL;
    size_t before = acl_free_bytes();
    void *ptrs[6] = {allocate(5 << 20)};
    void *host[2];
    (void)state;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtMallocAlign32(&ptrs[1], 100, ACL_MEM_MALLOC_HUGE_ONLY));
    assert_acl_ok(aclrtMallocCached(&ptrs[2], 100, ACL_MEM_MALLOC_NORMAL_ONLY));
    assert_acl_ok(aclrtMallocWithCfg(&ptrs[3], 100, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
    assert_acl_ok(aclrtMallocForTaskScheduler(&ptrs[4], 100, ACL_MEM_MALLOC_HUGE_FIRST, NULL));
    assert_acl_ok(aclrtMemAllocManaged(&ptrs[5], 100, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_acl_ok(aclrtMallocHost(&host[0], 100));
    assert_acl_ok(aclrtMallocHostWithCfg(&host[1], 100, NULL));
    for (size_t i = 0; i < 6; i++) assert_acl_ok(aclrtFree(ptrs[i]));
    assert_acl_ok(aclrtFreeHost(host[0]));
    assert_acl_ok(aclrtFreeHost(host[1]));
    assert_int_equal(acl_free_bytes(), before);
    assert_int_equal(atomic_load(&gate.passed), 0);
    atomic_store(&gate.open, true);
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void free_with_sync_waits_for_the_device(void **state) {
    struct gate gate = {.open = true};
    aclrtStream stream = NULL;
    _Atomic(int) done = 0;
    void *ptr = allocate(100);
    (void)state;
    assert_acl(aclrtFreeWithDevSync(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtLaunchHostFunc(stream, count, &done));
    assert_acl_ok(aclrtFreeWithDevSync(ptr));
    assert_int_equal(atomic_load(&done), 1);
    assert_acl(aclrtFreeWithDevSync(ptr), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDestroyStream(stream));
}

struct called {
    void *ptr;
    _Atomic(int) error;
};

static void free_it(void *arg) {
    struct called *called = arg;
    atomic_store(&called->error, aclrtFree(called->ptr));
}

static void a_function_in_a_stream_may_free(void **state) {
    struct called called = {.ptr = allocate(100), .error = -1};
    (void)state;
    assert_acl_ok(aclrtLaunchHostFunc(NULL, free_it, &called));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl(atomic_load(&called.error), ACL_SUCCESS);
}

// ---- fork

struct inherited {
    void *device;
    void *host;
    void *managed;
};

static void memory_of_the_parent_is_unknown(void *arg) {
    const struct inherited *inherited = arg;
    aclrtPtrAttributes attributes;
    void *base = NULL;
    size_t size = 0;
    assert_acl_ok(aclrtPointerGetAttributes(inherited->managed, &attributes));
    assert_int_not_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
    assert_acl(aclrtFree(inherited->device), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFreeHost(inherited->host), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl(aclrtFree(inherited->managed), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemGetAddressRange(inherited->device, &base, &size),
               ACL_ERROR_RT_PARAM_INVALID);
    assert_int_equal(acl_free_bytes(), (size_t)1 << 30);
    assert_acl_ok(aclrtFree(allocate(100)));
}

static void a_child_of_fork_has_memory_of_its_own(void **state) {
    struct inherited inherited = {allocate(100), NULL, NULL};
    (void)state;
    assert_acl_ok(aclrtMallocHost(&inherited.host, 100));
    assert_acl_ok(aclrtMemAllocManaged(&inherited.managed, 100, ACL_RT_MEM_ATTACH_GLOBAL));
    acl_in_child(memory_of_the_parent_is_unknown, &inherited, NULL);
    assert_acl_ok(aclrtFree(inherited.device));
    assert_acl_ok(aclrtFreeHost(inherited.host));
    assert_acl_ok(aclrtFree(inherited.managed));
}

// ---- 3.2

static void cache_calls_have_no_effect(void **state) {
    void *ptr = allocate(64);
    aclrtStream none = (aclrtStream)(uintptr_t)0x1234;
    (void)state;
    assert_acl(aclrtMemFlush(NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemFlush(ptr, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtMemFlush(ptr, 64));
    assert_acl(aclrtMemInvalidate(NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemInvalidate(ptr, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl_ok(aclrtMemInvalidate(ptr, 64));
    assert_acl(aclrtCmoAsync(NULL, 1, ACL_RT_CMO_TYPE_PREFETCH, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCmoAsync(ptr, 0, ACL_RT_CMO_TYPE_PREFETCH, none), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtCmoAsync(ptr, 64, (aclrtCmoType)4, NULL), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtCmoAsync(ptr, 64, ACL_RT_CMO_TYPE_PREFETCH, none), ACL_ERROR_RT_PARAM_INVALID);
    for (int type = ACL_RT_CMO_TYPE_PREFETCH; type <= ACL_RT_CMO_TYPE_FLUSH; type++)
        assert_acl_ok(aclrtCmoAsync(ptr, 64, (aclrtCmoType)type, NULL));
    assert_acl_ok(aclrtFree(ptr));
}

static void cache_calls_need_a_stream_of_the_context(void **state) {
    void *ptr = allocate(64);
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    aclrtStream stream = NULL;
    (void)state;
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtCreateContext(&own, 0));
    assert_acl(aclrtCmoAsync(ptr, 64, ACL_RT_CMO_TYPE_PREFETCH, stream),
               ACL_ERROR_RT_STREAM_CONTEXT);
    assert_acl_ok(aclrtDestroyContext(own));
    assert_acl(aclrtCmoAsync(ptr, 64, ACL_RT_CMO_TYPE_PREFETCH, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtCmoAsync(ptr, 64, ACL_RT_CMO_TYPE_PREFETCH, stream));
    assert_acl_ok(aclrtDestroyStream(stream));
    assert_acl_ok(aclrtFree(ptr));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(a_child_of_fork_has_memory_of_its_own),
        WITH_DEVICE(only_starts_of_live_memory_can_be_freed),
        WITH_DEVICE(freeing_needs_no_context),
        WITH_DEVICE(nothing_waits_for_streams),
        WITH_DEVICE(free_with_sync_waits_for_the_device),
        WITH_DEVICE(a_function_in_a_stream_may_free),
        WITH_DEVICE(cache_calls_have_no_effect),
        WITH_DEVICE(cache_calls_need_a_stream_of_the_context),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
