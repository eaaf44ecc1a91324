// SPDX-License-Identifier: Apache-2.0
// A kernel in C reports its accesses, of which two race, and another one reports none.
// OPTIONS: --kernel-races
// EXPECT: ERROR kernel-race: write of 4 byte(s) at 0x... by thread (0, 0, 0) of block (1, 0, 0), in kernel sum, is unordered with the write by thread (0, 0, 0) of block (0, 0, 0), in a block of device memory of 4096 byte(s)
// EXPECT:   access:
// EXPECT:     ... add_one .../hip_kernel_race.c:27
// EXPECT:   earlier access:
// EXPECT:     ... add_one .../hip_kernel_race.c:27
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_kernel_race.c:46
// EXPECT: WARN kernel-unwatched: races within kernel nothing are not found: it was compiled without --kernel-races
// EXPECT:   kernel:
// EXPECT:     ... do_nothing .../hip_kernel_race.c:31

#include "check/support/hip.h"

// A compiler calls such a function for each store.
__attribute__((noinline)) static void note_write(const void *address, size_t bytes) {
    hipExtHostAccess(address, bytes, hipExtAccessWrite, __builtin_frame_address(0));
}

static hipError_t add_one(const void *closure, const hipExtHostBlock *block, const char **why) {
    int *sum = *(int *const *)closure;
    const dim3 thread = {0, 0, 0};
    (void)why;
    ((hipExtHostBlock *)(uintptr_t)block)->thread = &thread;
    note_write(sum, sizeof *sum);
    *sum += 1;
    return hipSuccess;
}
static hipError_t do_nothing(const void *closure, const hipExtHostBlock *block, const char **why) {
    (void)closure, (void)block, (void)why;
    return hipSuccess;
}

static void launch(hipExtHostKernel_t kernel, const char *name, int *sum) {
    hipExtHostLaunch launch = {.kernel = kernel, .name = name, .gridDim = {2, 1, 1}};
    launch.blockDim = launch.gridDim, launch.blockDim.x = 1;
    launch.closure = &sum, launch.closureBytes = sizeof sum;
    must(hipExtLaunchHost(&launch));
}

int main(void) {
    int *sum = NULL;

    must(hipMalloc((void **)&sum, 4096));
    must(hipMemset(sum, 0, 4096));
    launch(add_one, "sum", sum);
    launch(do_nothing, "nothing", sum);
    must(hipDeviceSynchronize());
    must(hipFree(sum));
    return 0;
}
