// SPDX-License-Identifier: Apache-2.0
// Calls of Tarn that fail inside a function of AscendCL. The function fails with a code for the
// reason, and succeeds when it is called again.
#include "support/acl.h"

static aclrtStream stream;
static void *memory;

static aclError set_device(void) { return aclrtSetDevice(0); }

static aclError create_stream(void) { return aclrtCreateStream(&stream); }

static aclError create_event(void) {
    aclrtEvent event = NULL;
    aclError error = aclrtCreateEvent(&event);
    assert_true((event == NULL) == (error != 0));
    return error;
}

static aclError create_shared_event(void) {
    aclrtEvent event = NULL;
    return aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC);
}

static aclError create_pool(void) {
    aclrtMemPoolProps props = {.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
    aclrtMemPool pool = NULL;
    return aclrtMemPoolCreate(&pool, &props);
}

static aclError capture_bytes(void) {
    return aclrtMemcpyAsync(memory, 64, "captured", 8, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, NULL);
}

static aclError wait_for_word(void) {
    return aclrtValueWait(memory, 0, ACL_STREAM_WAIT_VALUE_EQ, NULL);
}

static aclError abort_stream(void) { return aclrtStreamAbort(NULL); }

static aclError map_memory(void) {
    const aclrtPhysicalMemProp prop = {.memAttr = ACL_HBM_MEM_HUGE,
                                       .location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
    static aclrtDrvMemHandle handle;
    static void *space;
    if (handle == NULL) {
        assert_acl_ok(aclrtReserveMemAddress(&space, 2 << 20, 0, NULL, 0));
        assert_acl_ok(aclrtMallocPhysical(&handle, 2 << 20, &prop, 0));
    }
    return aclrtMapMem(space, 2 << 20, 0, handle, 0);
}

struct shortage {
    const char *spec;
    aclError (*step)(void);
    aclError error;
};

static void failing_once(void *arg) {
    const struct shortage *shortage = arg;
    if (shortage->step != set_device) {
        assert_acl_ok(aclrtSetDevice(0));
        assert_acl_ok(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
        assert_acl_ok(aclrtMemset(memory, 64, 0, 64));
    }
    assert_acl(shortage->step(), shortage->error);
    assert_non_null(aclGetRecentErrMsg());
    assert_acl_ok(shortage->step());
    if (shortage->step != set_device) {
        assert_acl_ok(aclrtSynchronizeDevice());
        assert_acl_ok(aclrtFree(memory));
    }
    assert_acl_ok(aclrtResetDevice(0));
}

static void a_function_that_fails_inside_can_be_called_again(void **state) {
    static const struct shortage shortages[] = {
        {"tarn_device_open:1", set_device, ACL_ERROR_RT_MEMORY_ALLOCATION},
        {"tarn_stream_create:1", set_device, ACL_ERROR_RT_NO_STREAM_RESOURCE},
        {"tarn_stream_create:2", create_stream, ACL_ERROR_RT_NO_STREAM_RESOURCE},
        {"tarn_event_create:1", create_event, ACL_ERROR_RT_NO_EVENT_RESOURCE},
        {"tarn_event_create_shared:1", create_shared_event, ACL_ERROR_RT_NO_EVENT_RESOURCE},
        {"tarn_pool_create:1", create_pool, ACL_ERROR_RT_MEMORY_ALLOCATION},
        {"tarn_event_create:1", capture_bytes, ACL_ERROR_RT_NO_EVENT_RESOURCE},
        {"tarn_copy:1", capture_bytes, ACL_ERROR_RT_MEMORY_ALLOCATION},
        {"tarn_event_record:1", capture_bytes, ACL_ERROR_RT_MEMORY_ALLOCATION},
        {"tarn_stream_wait_until:1", wait_for_word, ACL_ERROR_RT_MEMORY_ALLOCATION},
        {"tarn_stream_abort:1", abort_stream, ACL_ERROR_RT_DRV_INTERNAL_ERROR},
        {"tarn_map:1", map_memory, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL},
        {"tarn_map_set_access:1", map_memory, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof shortages / sizeof shortages[0]; i++) {
        struct shortage shortage = shortages[i];
        acl_in_child(failing_once, &shortage, "TARN_FAIL", shortage.spec, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_that_fails_inside_can_be_called_again),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
