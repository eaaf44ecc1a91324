// SPDX-License-Identifier: Apache-2.0
// A kernel in C writes to an address without memory, and the program asks for no error.
// EXPECT: ERROR kernel-failure: kernel stray, block (0, 0, 0), thread (0, 0, 0): an access of address 0x87654320, which it must not access
// EXPECT:   failure:
// EXPECT:     ... stray .../cuda_kernel_failure.c:14
#include "check/support/cuda.h"
#include <cuda/detail/host_kernel.h>

static const dim3 thread = {0, 0, 0};

static cudaError_t stray(const void *closure, const cudaExtHostBlock *block, const char **why) {
    (void)closure, (void)why;
    ((cudaExtHostBlock *)(uintptr_t)block)->thread = &thread;
    *(volatile int *)0x87654320 = 42;
    return cudaSuccess;
}

int main(void) {
    cudaExtHostLaunch launch = {.kernel = stray, .name = "stray", .gridDim = {1, 1, 1}};
    launch.blockDim = launch.gridDim;
    must(cudaExtLaunchHost(&launch));
    (void)cudaDeviceSynchronize();
    return 0;
}
