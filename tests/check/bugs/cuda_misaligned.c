// SPDX-License-Identifier: Apache-2.0
// A copy goes to an address that is no multiple of what was asked for, and the kernel of a library makes an
// access without its alignment.
// OPTIONS: --alignment=32 --kernel-races --misaligned
// EXPECT: ERROR misaligned-access: write of 32 byte(s) at 0x... (needs 32-byte alignment), which is 0x6 inside a block of device memory of 256 byte(s)
// EXPECT: ERROR misaligned-access: write of 4 byte(s) at 0x... (needs 4-byte alignment) by thread (0, 0, 0) of block (0, 0, 0), in kernel store
// EXPECT:   allocated by thread
#include "check/support/cuda.h"
#include <cuda/detail/host_kernel.h>

static const dim3 thread = {0, 0, 0};
static char *block;

static cudaError_t store(const void *closure, const cudaExtHostBlock *at, const char **why) {
    (void)closure, (void)why;
    ((cudaExtHostBlock *)(uintptr_t)at)->thread = &thread;
    cudaExtHostAccess(block + 33, 4, cudaExtAccessWrite | cudaExtAccessAligned,
                      __builtin_frame_address(0));
    cudaExtHostAccess(block + 65, 4, cudaExtAccessWrite, __builtin_frame_address(0));
    return cudaSuccess;
}

int main(void) {
    static const char from[32];
    cudaExtHostLaunch launch = {.kernel = store, .name = "store", .gridDim = {1, 1, 1}};
    launch.blockDim = launch.gridDim;
    must(cudaMalloc((void **)&block, 256));
    must(cudaMemcpy(block + 6, from, sizeof from, cudaMemcpyHostToDevice));
    must(cudaExtLaunchHost(&launch));
    must(cudaDeviceSynchronize());
    must(cudaFree(block));
    return 0;
}
