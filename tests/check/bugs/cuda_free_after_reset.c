// SPDX-License-Identifier: Apache-2.0
// cudaDeviceReset() frees a block, and a handler at the exit frees it again.
// EXPECT: ERROR double-free: cudaFree of 0x... again, a block of device memory of 1000 byte(s)

#include "check/support/cuda.h"

static void *block;

static void free_block(void) { (void)cudaFree(block); }

int main(void) {
    (void)atexit(free_block);
    must(cudaMalloc(&block, 1000));
    must(cudaDeviceReset());
    return 0;
}
