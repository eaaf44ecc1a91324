// SPDX-License-Identifier: Apache-2.0
// Blocks are used behind their free, freed twice, freed by the wrong function, and by an address that is
// no block.
// EXPECT: ERROR use-after-free: write of 16 byte(s) at 0x... by cudaMemsetAsync
// EXPECT: ERROR double-free: region R1 [0x...,+1000) given to cudaFreeAsync again
// EXPECT: ERROR invalid-free: cudaFree of 0x..., which is no block that can be freed
// EXPECT: ERROR wrong-family-free: cudaFreeHost of 0x..., which is a block of device memory of 4096 byte(s)
// EXPECT: ERROR use-after-free: read of 4 byte(s) at 0x... by cudaMemcpy, in a block of device memory of 4096 byte(s) at 0x... that was freed
// EXPECT: ERROR wrong-family-free: cudaFree of 0x..., which is a block of pinned memory of 64 byte(s)
#include "check/support/cuda.h"

int main(void) {
    cudaStream_t stream = make_stream();
    void *pinned = NULL;
    void *plain = NULL;
    int local = 0;
    char *block = alloc_on(stream, 1000);
    must(cudaMemsetAsync(block, 0, 1000, stream));
    must(cudaFreeAsync(block, stream));
    must(cudaMemsetAsync(block, 0, 16, stream));
    must(cudaStreamSynchronize(stream));
    (void)cudaFreeAsync(block, stream);
    must(cudaMalloc(&plain, 4096));
    (void)cudaFree(&local);
    (void)cudaFreeHost(plain);
    must(cudaFree(plain));
    (void)cudaMemcpy(&local, plain, sizeof local, cudaMemcpyDeviceToHost);
    must(cudaMallocHost(&pinned, 64));
    (void)cudaFree(pinned);
    must(cudaFreeHost(pinned));
    must(cudaStreamDestroy(stream));
    return 0;
}
