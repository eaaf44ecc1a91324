// SPDX-License-Identifier: Apache-2.0
// Rounds of calls that destroy all that they create leave no memory of the host behind.
#include "support/vmm.h"
#include "support/work.h"

#include "support/steady.h"

static void context_round(void *arg) {
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    (void)arg;
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&own, 0));
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtSetCurrentContext(own));
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtDestroyContext(own));
}

static void event_round(void *arg) {
    aclrtEventStatus status;
    aclrtEventRecordedStatus recorded;
    aclrtEventWaitStatus waited;
    aclrtStream stream = NULL;
    aclrtEvent event = NULL;
    float ms;
    (void)arg;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtCreateEvent(&event));
    assert_acl_ok(aclrtRecordEvent(event, stream));
    assert_acl_ok(aclrtStreamWaitEvent(stream, event));
    assert_acl_ok(aclrtSynchronizeEvent(event));
    assert_acl_ok(aclrtQueryEvent(event, &status));
    assert_acl_ok(aclrtQueryEventStatus(event, &recorded));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl_ok(aclrtQueryEventWaitStatus(event, &waited));
    assert_acl_ok(aclrtEventElapsedTime(&ms, event, event));
    assert_acl_ok(aclrtResetEvent(event, stream));
    assert_acl_ok(aclrtSynchronizeStream(stream));
    assert_acl_ok(aclrtDestroyEvent(event));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void limit_round(void *arg) {
    aclrtStream stream = NULL;
    uint32_t value;
    (void)arg;
    assert_acl_ok(aclrtCreateStream(&stream));
    assert_acl_ok(aclrtSetStreamResLimit(stream, ACL_RT_DEV_RES_CUBE_CORE, 1));
    assert_acl_ok(aclrtGetStreamResLimit(stream, ACL_RT_DEV_RES_CUBE_CORE, &value));
    assert_acl_ok(aclrtUseStreamResInCurrentThread(stream));
    assert_acl_ok(aclrtUnuseStreamResInCurrentThread(stream));
    assert_acl_ok(aclrtResetStreamResLimit(stream));
    assert_acl_ok(aclrtDestroyStream(stream));
}

static void memory_round(void *arg) {
    void *device = NULL;
    void *host = NULL;
    (void)arg;
    assert_acl_ok(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMallocHost(&host, 4096));
    assert_acl_ok(aclrtMemcpy(device, 4096, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE));
    assert_acl_ok(aclrtMemset(device, 4096, 1, 4096));
    assert_acl_ok(aclrtFreeHost(host));
    assert_acl_ok(aclrtFree(device));
}

static void mapping_round(void *arg) {
    char *at = vmm_reserve(2 * MIB);
    (void)arg;
    vmm_fill(at, 2 * MIB);
    assert_acl_ok(aclrtUnmapMem(at));
    assert_acl_ok(aclrtReleaseMemAddress(at));
}

static void refused_round(void *arg) {
    void *memory = NULL;
    (void)arg;
    assert_acl(aclrtMalloc(&memory, 2 * GIB, ACL_MEM_MALLOC_HUGE_ONLY),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
}

static void contexts_leave_nothing_behind(void **state) {
    (void)state;
    assert_steady(context_round, NULL);
}

static void events_leave_nothing_behind(void **state) {
    (void)state;
    assert_steady(event_round, NULL);
}

static void limits_leave_nothing_behind(void **state) {
    (void)state;
    assert_steady(limit_round, NULL);
}

static void memory_leave_nothing_behind(void **state) {
    (void)state;
    assert_steady(memory_round, NULL);
}

static void mappings_leave_nothing_behind(void **state) {
    (void)state;
    assert_steady(mapping_round, NULL);
}

static void refusals_leave_nothing_behind(void **state) {
    (void)state;
    assert_steady(refused_round, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(contexts_leave_nothing_behind), WITH_DEVICE(events_leave_nothing_behind),
        WITH_DEVICE(limits_leave_nothing_behind),   WITH_DEVICE(memory_leave_nothing_behind),
        WITH_DEVICE(mappings_leave_nothing_behind), WITH_DEVICE(refusals_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
