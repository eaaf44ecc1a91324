// SPDX-License-Identifier: Apache-2.0
// Rounds that destroy all that they create: after many of them the process has no more of the host's
// memory than after a few.
#include <malloc.h>

#include "support/vmm.h"
#include "support/work.h"

#define ROUNDS 400
#define LEAK   (ROUNDS * 32) // bytes: the smallest block of malloc() in each round

static void context_round(void) {
    aclrtContext usual = NULL;
    aclrtContext own = NULL;
    assert_acl_ok(aclrtGetCurrentContext(&usual));
    assert_acl_ok(aclrtCreateContext(&own, 0));
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtSetCurrentContext(own));
    assert_acl_ok(aclrtSynchronizeDevice());
    assert_acl_ok(aclrtSetCurrentContext(usual));
    assert_acl_ok(aclrtDestroyContext(own));
}

static void event_round(void) {
    aclrtEventStatus status;
    aclrtEventRecordedStatus recorded;
    aclrtEventWaitStatus waited;
    aclrtStream stream = NULL;
    aclrtEvent event = NULL;
    float ms;
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

static void memory_round(void) {
    void *device = NULL;
    void *host = NULL;
    assert_acl_ok(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    assert_acl_ok(aclrtMallocHost(&host, 4096));
    assert_acl_ok(aclrtMemcpy(device, 4096, host, 4096, ACL_MEMCPY_HOST_TO_DEVICE));
    assert_acl_ok(aclrtMemset(device, 4096, 1, 4096));
    assert_acl_ok(aclrtFreeHost(host));
    assert_acl_ok(aclrtFree(device));
}

static void mapping_round(void) {
    char *at = vmm_reserve(2 * MIB);
    vmm_fill(at, 2 * MIB);
    assert_acl_ok(aclrtUnmapMem(at));
    assert_acl_ok(aclrtReleaseMemAddress(at));
}

static void refused_round(void) {
    void *memory = NULL;
    assert_acl(aclrtMalloc(&memory, 2 * GIB, ACL_MEM_MALLOC_HUGE_ONLY),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
}

static size_t host_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// The bytes by which a number of rounds grow the process.
static size_t growth_of(void (*round)(void)) {
    size_t before = host_bytes();
    for (int n = 0; n < ROUNDS; n++) {
        round();
    }
    size_t after = host_bytes();
    return after > before ? after - before : 0;
}

// Tables and the history of addresses grow at times, so that of several attempts the best one counts.
static void rounds_leave_no_memory_of_the_host_behind(void **state) {
    void (*const rounds[])(void) = {context_round, event_round, memory_round, mapping_round,
                                    refused_round};
    (void)state;
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        size_t growth = growth_of(rounds[i]);
        for (int attempt = 0; attempt < 5 && growth >= LEAK; attempt++) {
            growth = growth_of(rounds[i]);
        }
        if (growth >= LEAK) {
            fail_msg("%d rounds of kind %zu left %zu bytes behind", ROUNDS, i, growth);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_DEVICE(rounds_leave_no_memory_of_the_host_behind)};
    return cmocka_run_group_tests(tests, work_group_setup, NULL);
}
