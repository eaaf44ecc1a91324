// SPDX-License-Identifier: Apache-2.0
// aclrtMallocHost() and its like, managed memory (spec 3.4, 5; vector V6).
#include <pthread.h>

#include "support/work.h"

// ---- what is refused

static void arguments_are_checked_before_the_context(void **state) {
    aclrtMallocConfig empty = {.attrs = NULL, .numAttrs = 1};
    void *ptr = &ptr;
    (void)state;
    assert_acl(aclrtMallocHost(NULL, 1), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocHost(&ptr, 0), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocHost(&ptr, 1), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMallocHostWithCfg(NULL, 1, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocHostWithCfg(&ptr, 0, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocHostWithCfg(&ptr, 1, &empty), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMallocHostWithCfg(&ptr, 1, NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtMemAllocManaged(NULL, 1, ACL_RT_MEM_ATTACH_GLOBAL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemAllocManaged(&ptr, 0, ACL_RT_MEM_ATTACH_GLOBAL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtMemAllocManaged(&ptr, 1, 7), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtFreeHost(NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclrtFreeHostWithDevSync(NULL), ACL_ERROR_INVALID_PARAM);
    assert_ptr_equal(ptr, &ptr);
}

static void host_configurations_have_two_attributes(void **state) {
    aclrtMallocAttribute attrs[2] = {{ACL_RT_MEM_ATTR_MODULE_ID, {.moduleId = 9}},
                                     {ACL_RT_MEM_ATTR_VA_FLAG, {.vaFlag = 1}}};
    aclrtMallocConfig config = {attrs, 2};
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocHostWithCfg(&ptr, 64, &config));
    assert_acl_ok(aclrtFreeHost(ptr));
    attrs[1].value.vaFlag = 2;
    assert_acl(aclrtMallocHostWithCfg(&ptr, 64, &config), ACL_ERROR_RT_PARAM_INVALID);
    attrs[1] = (aclrtMallocAttribute){ACL_RT_MEM_ATTR_DEVICE_ID, {.deviceId = 0}};
    assert_acl(aclrtMallocHostWithCfg(&ptr, 64, &config), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "attrs[1] is attribute 2"));
}

static void no_such_amount_of_host_memory(void **state) {
    void *ptr = &ptr;
    (void)state;
    assert_acl(aclrtMallocHost(&ptr, (size_t)1 << 60), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl(aclrtMallocHost(&ptr, SIZE_MAX - 32), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_acl(aclrtMallocHostWithCfg(&ptr, SIZE_MAX / 2, NULL), ACL_ERROR_RT_MEMORY_ALLOCATION);
    assert_null(ptr);
}

// ---- what is allocated

static void host_memory_is_rounded_and_not_padded(void **state) {
    static const size_t rows[][2] = {{1, 32}, {32, 32}, {33, 64}, {1000, 1024}, {4096, 4096}};
    size_t before = acl_free_bytes();
    void *ptr = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_acl_ok(aclrtMallocHost(&ptr, rows[i][0]));
        assert_int_equal((uintptr_t)ptr % 512, 0);
        assert_int_equal(acl_effective_bytes(ptr), rows[i][1]);
        memset(ptr, 0x5A, rows[i][1]);
        assert_int_equal(acl_free_bytes(), before); // of the device
        assert_acl_ok(aclrtFreeHost(ptr));
    }
}

static void families_are_kept_apart(void **state) {
    void *host = NULL;
    void *device = NULL;
    void *managed = NULL;
    char ordinary;
    (void)state;
    assert_acl_ok(aclrtMallocHost(&host, 100));
    assert_acl_ok(aclrtMalloc(&device, 100, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMemAllocManaged(&managed, 100, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_acl(aclrtFreeHost(device), ACL_ERROR_RT_PARAM_INVALID); // V6
    assert_acl(aclrtFreeHost(managed), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFreeHost((char *)host + 64), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFreeHost(&ordinary), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFree(host), ACL_ERROR_RT_PARAM_INVALID);
    assert_non_null(strstr(aclGetRecentErrMsg(), "the start of host memory"));
    assert_acl_ok(aclrtFreeHost(host));
    assert_acl(aclrtFreeHost(host), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtFree(managed));
    assert_acl(aclrtFree(managed), ACL_ERROR_RT_PARAM_INVALID);
}

static void managed_memory_is_everybody_s(void **state) {
    size_t before = acl_free_bytes();
    void *ptr = NULL;
    (void)state;
    assert_acl(aclrtMemAllocManaged(&ptr, 10, 0), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtMemAllocManaged(&ptr, 10, 3), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtMemAllocManaged(&ptr, 10, ACL_RT_MEM_ATTACH_GLOBAL));
    assert_int_equal(acl_effective_bytes(ptr), 32);
    memset(ptr, 1, 32);
    assert_int_equal(acl_free_bytes(), before);
    assert_acl_ok(aclrtFreeWithDevSync(ptr));
}

// ---- order

// While a stream is held up, memory goes for the program and stays for the stream.
static void freeing_host_memory_does_not_wait_for_streams(void **state) {
    struct gate gate = {.open = false};
    aclrtStream stream = NULL;
    aclrtPtrAttributes attributes;
    void *ptrs[3];
    (void)state;
    for (size_t i = 0; i < 3; i++) assert_acl_ok(aclrtMallocHost(&ptrs[i], 1 << 20));
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    for (size_t i = 0; i < 3; i++) {
        assert_acl_ok(aclrtFreeHost(ptrs[i]));
        assert_acl(aclrtFreeHost(ptrs[i]), ACL_ERROR_RT_PARAM_INVALID);
        assert_acl_ok(aclrtPointerGetAttributes(ptrs[i], &attributes));
        assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    }
    assert_int_equal(atomic_load(&gate.passed), 0);
    atomic_store(&gate.open, true);
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl_ok(aclrtMallocHost(&ptrs[0], 1)); // frees the retired blocks
    assert_acl_ok(aclrtPointerGetAttributes(ptrs[1], &attributes));
    assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    assert_acl_ok(aclrtFreeHostWithDevSync(ptrs[0]));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void freeing_host_memory_with_sync_waits_for_the_device(void **state) {
    aclrtStream stream = NULL;
    _Atomic(int) done = 0;
    struct gate gate = {.open = true};
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocHost(&ptr, 100));
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtLaunchHostFunc(stream, pass_gate, &gate));
    assert_acl_ok(aclrtLaunchHostFunc(stream, count, &done));
    assert_acl_ok(aclrtFreeHostWithDevSync(ptr));
    assert_int_equal(atomic_load(&done), 1);
    assert_acl(aclrtFreeHostWithDevSync(ptr), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDestroyStream(stream));
}

struct called {
    void *ptr;
    _Atomic(int) error;
};

static void free_it(void *arg) {
    struct called *called = arg;
    atomic_store(&called->error, aclrtFreeHost(called->ptr));
}

static void a_function_in_a_stream_may_free_host_memory(void **state) {
    struct called called = {.error = -1};
    (void)state;
    assert_acl_ok(aclrtMallocHost(&called.ptr, 100));
    assert_acl_ok(aclrtLaunchHostFunc(NULL, free_it, &called));
    assert_acl_ok(aclrtSynchronizeStream(NULL));
    assert_acl(atomic_load(&called.error), ACL_SUCCESS);
}

static void *allocate_and_free(void *arg) {
    void *ptr = NULL;
    aclError error = aclrtSetDevice(0);
    (void)arg;
    for (size_t i = 0; i < 100 && error == 0; i++) {
        error = aclrtMallocHost(&ptr, 1 + i * 100);
        error = error == 0 ? aclrtFreeHost(ptr) : error;
    }
    return (void *)(intptr_t)error;
}

static void threads_allocate_host_memory_at_once(void **state) {
    pthread_t threads[4];
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_and_free, NULL), 0);
    for (size_t i = 0; i < 4; i++) {
        void *error = NULL;
        assert_int_equal(pthread_join(threads[i], &error), 0);
        assert_null(error);
        assert_acl_ok(aclrtResetDevice(0));
    }
}

static void freeing_host_memory_needs_no_context(void **state) {
    void *ptr = NULL;
    (void)state;
    assert_acl_ok(aclrtMallocHost(&ptr, 1));
    assert_acl_ok(aclrtResetDevice(0));
    assert_acl(aclrtFreeHostWithDevSync(ptr), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl_ok(aclrtFreeHost(ptr));
    assert_acl_ok(aclrtSetDevice(0));
}

// ---- other modes

static void host_memory_in_rc_mode(void *arg) {
    aclrtPtrAttributes attributes;
    void *ptr = NULL;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    size_t before = acl_free_bytes();
    assert_acl_ok(aclrtMallocHost(&ptr, 8 << 20));
    assert_int_equal(before - acl_free_bytes(), 8 << 20); // normal pages
    assert_int_equal(acl_effective_bytes(ptr), 8 << 20);
    memset(ptr, 3, 8 << 20);
    assert_acl_ok(aclrtPointerGetAttributes(ptr, &attributes));
    assert_int_equal(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    assert_int_equal(attributes.pageSize, 4096);
    assert_acl(aclrtFree(ptr), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtFreeHost(ptr));
    assert_int_equal(acl_free_bytes(), before);
    assert_acl_ok(aclrtMalloc(&ptr, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    memset(ptr, 4, 64); // the CPU of the device
    assert_acl_ok(aclrtFree(ptr));
}

static void rc_mode_has_one_memory(void **state) {
    (void)state;
    acl_in_child(host_memory_in_rc_mode, NULL, "TARN_ACL_MODE", "RC", "TARN_ACL_DEVICE", NULL,
                 NULL);
}

static void fresh_host_memory_has_the_pattern(void *arg) {
    unsigned char *ptr = NULL;
    (void)arg;
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtMallocHost((void **)&ptr, 64));
    assert_int_equal(ptr[0], 0xA5);
    assert_int_equal(ptr[63], 0xA5);
    assert_acl_ok(aclrtFreeHost(ptr));
}

static void poison_fills_new_host_memory(void **state) {
    (void)state;
    acl_in_child(fresh_host_memory_has_the_pattern, NULL, "TARN_ACL_POISON", "1", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rc_mode_has_one_memory), // these fork: first
        cmocka_unit_test(poison_fills_new_host_memory),
        cmocka_unit_test(arguments_are_checked_before_the_context),
        WITH_DEVICE(host_configurations_have_two_attributes),
        WITH_DEVICE(no_such_amount_of_host_memory),
        WITH_DEVICE(host_memory_is_rounded_and_not_padded),
        WITH_DEVICE(families_are_kept_apart),
        WITH_DEVICE(managed_memory_is_everybody_s),
        WITH_DEVICE(freeing_host_memory_does_not_wait_for_streams),
        WITH_DEVICE(freeing_host_memory_with_sync_waits_for_the_device),
        WITH_DEVICE(a_function_in_a_stream_may_free_host_memory),
        WITH_DEVICE(threads_allocate_host_memory_at_once),
        WITH_DEVICE(freeing_host_memory_needs_no_context),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
