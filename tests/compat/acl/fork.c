// SPDX-License-Identifier: Apache-2.0
// fork(): the child starts anew, in whatever state its parent was.
#include "support/bytes.h"
#include "support/work.h"

#define SIZE 4096

// The objects of the parent when it forks.
struct parents {
    aclrtStream stream;
    aclrtEvent event;
    aclrtContext context;
    unsigned char *device;
};

static void beginning_anew(void *arg) {
    const struct parents *parents = arg;
    aclrtEventRecordedStatus recorded;
    aclrtEvent event = NULL;
    uint64_t us = 0;
    int32_t enabled = 1;
    assert_acl(aclrtSynchronizeStream(NULL), ACL_ERROR_RT_CONTEXT_NULL);
    assert_acl(aclrtSetCurrentContext(parents->context), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclFinalize());
    assert_acl_ok(aclInit(NULL));
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl(aclrtSynchronizeStream(parents->stream), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtQueryEventStatus(parents->event, &recorded), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl(aclrtFree(parents->device), ACL_ERROR_RT_PARAM_INVALID);
    assert_acl_ok(aclrtDevicePeerAccessStatus(0, 1, &enabled));
    assert_int_equal(enabled, 0);
    unsigned char *device = device_bytes(SIZE, 1);
    unsigned char *host = pageable_bytes(SIZE, 2);
    assert_acl_ok(
        aclrtMemcpyAsync(device, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, NULL));
    assert_acl_ok(aclrtCreateEvent(&event));
    assert_acl_ok(aclrtRecordEvent(event, NULL));
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_acl_ok(aclrtEventGetTimestamp(event, &us));
    assert_bytes(device, SIZE, 2);
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtFree(device));
    assert_acl_ok(aclrtResetDevice(0));
    free(host);
}

// Streams hold work behind a gate: waiting, captured, and retired.
static void a_child_begins_anew(void **state) {
    struct gate gate = {false, 0};
    struct parents parents = {NULL, NULL, NULL, NULL};
    unsigned char *host = pageable_bytes(SIZE, 3);
    aclrtStream retired = NULL;
    uint64_t us = 0;
    (void)state;
    assert_acl_ok(aclInit(NULL));
    assert_acl_ok(aclrtSetDevice(0));
    assert_acl_ok(aclrtDeviceEnablePeerAccess(1, 0));
    assert_acl_ok(aclrtGetCurrentContext(&parents.context));
    assert_acl_ok(aclrtCreateStream(&parents.stream));
    assert_acl_ok(aclrtCreateStream(&retired));
    assert_acl_ok(aclrtCreateEvent(&parents.event));
    assert_acl_ok(aclrtRecordEvent(parents.event, NULL));
    assert_acl_ok(aclrtSynchronizeEvent(parents.event));
    assert_acl_ok(aclrtEventGetTimestamp(parents.event, &us));
    parents.device = device_bytes(SIZE, 1);
    unsigned char *pinned = pinned_bytes(SIZE, 4);
    assert_acl_ok(aclrtLaunchHostFunc(parents.stream, pass_gate, &gate));
    assert_acl_ok(aclrtMemcpyAsync(parents.device, SIZE, host, SIZE,
                                   ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, parents.stream));
    assert_acl_ok(aclrtLaunchHostFunc(retired, pass_gate, &gate));
    assert_acl_ok(aclrtDestroyStreamForce(retired));
    assert_acl_ok(aclrtFreeHost(pinned));
    acl_in_child(beginning_anew, &parents, NULL);
    gate.open = true;
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_int_equal(gate.passed, 2);
    assert_bytes(parents.device, SIZE, 3);
    assert_acl_ok(aclrtDestroyEvent(parents.event));
    assert_acl_ok(aclrtFree(parents.device));
    assert_acl_ok(aclrtDestroyStream(parents.stream));
    assert_acl_ok(aclrtResetDevice(0));
    free(host);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_child_begins_anew)};
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
