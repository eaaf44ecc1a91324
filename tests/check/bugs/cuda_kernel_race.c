// SPDX-License-Identifier: Apache-2.0
// A kernel in C reports its accesses, of which two race, and another one reports none.
// OPTIONS: --kernel-races
// EXPECT: ERROR kernel-race: write of 4 byte(s) at 0x... by thread (0, 0, 0) of block (1, 0, 0), in kernel sum, is unordered with the write by thread (0, 0, 0) of block (0, 0, 0), in a block of device memory of 4096 byte(s)
// EXPECT:   access:
// EXPECT:     ... add_one .../cuda_kernel_race.c:21
// EXPECT: WARN kernel-unwatched: races within kernel nothing are not found: it was compiled without --kernel-races
#include "check/support/cuda.h"
#include <cuda/detail/host_kernel.h>

// A compiler calls such a function for each store.
__attribute__((noinline)) static void note_write(const void *address, size_t bytes) {
    cudaExtHostAccess(address, bytes, cudaExtAccessWrite, __builtin_frame_address(0));
}

static cudaError_t add_one(const void *closure, const cudaExtHostBlock *block, const char **why) {
    int *sum = *(int *const *)closure;
    const dim3 thread = {0, 0, 0};
    (void)why;
    ((cudaExtHostBlock *)(uintptr_t)block)->thread = &thread;
    note_write(sum, sizeof *sum);
    *sum += 1;
    return cudaSuccess;
}

static cudaError_t do_nothing(const void *closure, const cudaExtHostBlock *block,
                              const char **why) {
    (void)closure, (void)block, (void)why;
    return cudaSuccess;
}

static void launch(cudaExtHostKernel_t kernel, const char *name, int *sum) {
    cudaExtHostLaunch launch = {.kernel = kernel, .name = name, .gridDim = {2, 1, 1}};
    launch.blockDim = launch.gridDim, launch.blockDim.x = 1;
    launch.closure = &sum, launch.closureBytes = sizeof sum;
    must(cudaExtLaunchHost(&launch));
}

int main(void) {
    int *sum = NULL;
    must(cudaMalloc((void **)&sum, 4096));
    must(cudaMemset(sum, 0, 4096));
    launch(add_one, "sum", sum);
    launch(do_nothing, "nothing", sum);
    must(cudaDeviceSynchronize());
    must(cudaFree(sum));
    return 0;
}
