// SPDX-License-Identifier: Apache-2.0
// Kernels of a program in C, which uses the functions below the templates of hip/hip_runtime.h.
#include <hip/hip_runtime.h>

#include <string.h>

#include "support/hip.h"

enum { THREADS = 70 };

struct arguments {
    unsigned *sums;
    unsigned add;
    int fails;
};

// Each thread waits twice, and thread 3 may end the kernel between.
static void run_thread(const struct arguments *own, const hipExtHostBlock *block, unsigned thread) {
    hipExtHostPlace place = {"block_wait", __FILE__, __LINE__, thread};
    hipExtHostLanes lanes = {.value = thread, .from = 5, .lanes = 64};
    unsigned voters = hipExtHostBlockWait(block, &place, thread % 7 == 0, 0);
    if (own->fails && thread == 3)
        hipExtHostFail(block, hipErrorIllegalState, "thread 3 does not want");
    hipExtHostYield(block, thread);
    place.line = __LINE__;
    place.function = "warp_wait";
    hipExtHostWarpWait(block, &place, &lanes);
    own->sums[thread] += own->add + 100 * voters + (unsigned)lanes.value;
}

static hipError_t run(const void *closure, const hipExtHostBlock *block, const char **why) {
    const void *loop = block->loop;
    (void)why;
    for (unsigned thread = block->first; thread < THREADS; thread++) {
        run_thread((const struct arguments *)closure, block, thread);
        if (block->loop != loop) break;
    }
    return hipSuccess;
}

static unsigned sums[THREADS];

static void assert_sums(unsigned add) {
    assert_hip_ok(hipDeviceSynchronize());
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(sums[i], add + 100 * 10 + (i < 64 ? 5 : 69));
    memset(sums, 0, sizeof sums);
}

static void threads_of_a_kernel_in_c_wait_for_each_other(void **state) {
    struct arguments own = {sums, 7, 0};
    hipExtHostLaunch launch = {.kernel = run,
                               .name = "sum",
                               .gridDim = {1, 1, 1},
                               .blockDim = {THREADS, 1, 1},
                               .closure = &own,
                               .closureBytes = sizeof own};
    (void)state;
    assert_hip(hipExtLaunchHost(NULL), hipErrorInvalidValue);
    hipExtHostYield(NULL, 0); // without effect outside a kernel
    hipExtHostFence();
    hipExtHostAccess(sums, sizeof sums, hipExtAccessWrite | hipExtAccessAtomic, NULL);
    assert_hip_ok(hipExtLaunchHost(&launch));
    assert_sums(7);
    launch.cooperative = 1;
    assert_hip_ok(hipExtLaunchHost(&launch));
    assert_sums(7);
    launch.gridDim.x = 100000;
    assert_hip(hipExtLaunchHost(&launch), hipErrorCooperativeLaunchTooLarge);
    launch.gridDim.x = 1;
    own.fails = 1;
    assert_hip_ok(hipStreamCreate(&launch.stream));
    assert_hip_ok(hipExtLaunchHost(&launch));
    assert_hip(hipStreamSynchronize(launch.stream), hipErrorIllegalState);
    assert_non_null(strstr(hipExtGetLastErrorText(),
                           "kernel sum, block (0, 0, 0), a thread: thread 3 does not want"));
    assert_hip_ok(hipStreamDestroy(launch.stream));
}

static void pack(void *closure, void *const *arguments) {
    struct arguments own = {sums, *(const unsigned *)arguments[0], 0};
    memcpy(closure, &own, sizeof own);
}

static void list(const void *closure, void **arguments) {
    arguments[0] = (void *)(uintptr_t) & ((const struct arguments *)closure)->add;
}

static void a_kernel_in_c_is_launched_by_its_address(void **state) {
    static const char address;
    static const hipExtHostParameter parameters[] = {{sizeof(unsigned), sizeof(unsigned)}};
    static hipExtHostKernelInfo info = {.function = &address,
                                        .name = "sum",
                                        .kernel = run,
                                        .closureBytes = sizeof(struct arguments),
                                        .pack = pack,
                                        .list = list,
                                        .parameters = parameters,
                                        .parameterCount = 1};
    const dim3 one = {1, 1, 1};
    const dim3 block = {THREADS, 1, 1};
    unsigned add = 9;
    void *given[] = {&add};
    (void)state;
    hipExtRegisterHostKernel(&info);
    assert_hip_ok(hipLaunchKernel(&address, one, block, given, 0, NULL));
    assert_sums(9);
    assert_string_equal(hipKernelNameRefByPtr(&address, NULL), "sum");
    hipExtUnregisterHostKernel(&info);
    hipExtUnregisterHostKernel(&info); // harmless
    assert_hip(hipLaunchKernel(&address, one, block, given, 0, NULL),
               hipErrorInvalidDeviceFunction);
    assert_null(hipKernelNameRefByPtr(&address, NULL));
}

static void a_warp_has_32_or_64_lanes(void **state) {
    hipDeviceProp_t properties;
    (void)state;
    assert_hip(hipExtSetWarpSize(16), hipErrorInvalidValue);
    assert_hip_ok(hipExtSetWarpSize(32));
    assert_hip_ok(hipGetDeviceProperties(&properties, 0));
    assert_int_equal(properties.warpSize, 32);
    assert_hip_ok(hipExtSetWarpSize(64));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_a_kernel_in_c_wait_for_each_other),
        cmocka_unit_test(a_kernel_in_c_is_launched_by_its_address),
        cmocka_unit_test(a_warp_has_32_or_64_lanes),
    };
    return cmocka_run_group_tests(tests, hip_group_setup, NULL);
}
