// SPDX-License-Identifier: Apache-2.0
// A kernel in C writes to an address without memory, and another one returns an error. The program asks for neither.
// EXPECT: ERROR kernel-failure: kernel stray, block (0, 0, 0), thread (0, 0, 0): an access of address 0x87654320, which it must not access
// EXPECT:   failure:
// EXPECT:     ... stray .../hip_kernel_failure.c:14
// EXPECT: ERROR kernel-failure: kernel refuse, block (0, 0, 0), thread (0, 0, 0): it has no time
#include "check/support/hip.h"

static const dim3 thread = {0, 0, 0};

static hipError_t stray(const void *closure, const hipExtHostBlock *block, const char **why) {
    (void)closure, (void)why;
    ((hipExtHostBlock *)(uintptr_t)block)->thread = &thread;
    *(volatile int *)0x87654320 = 42;
    return hipSuccess;
}

static hipError_t refuse(const void *closure, const hipExtHostBlock *block, const char **why) {
    (void)closure;
    ((hipExtHostBlock *)(uintptr_t)block)->thread = &thread;
    *why = "it has no time";
    return hipErrorLaunchFailure;
}

static void launch(hipExtHostKernel_t kernel, const char *name) {
    hipExtHostLaunch launch = {.kernel = kernel, .name = name, .gridDim = {1, 1, 1}};
    launch.blockDim = launch.gridDim;
    must(hipStreamCreate(&launch.stream));
    must(hipExtLaunchHost(&launch));
    (void)hipStreamSynchronize(launch.stream);
    must(hipStreamDestroy(launch.stream));
}

int main(void) {
    launch(stray, "stray");
    launch(refuse, "refuse");
    return 0;
}
