// SPDX-License-Identifier: Apache-2.0
// Frees that CUDA allows: cudaFree of a block of a pool and of managed memory, and cudaFreeAsync of memory of
// cudaMalloc.
#include "check/support/cuda.h"

int main(void) {
    cudaStream_t stream = make_stream();
    void *memory = NULL, *managed = NULL;
    must(cudaFree(alloc_on(stream, 4096)));
    must(cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal));
    must(cudaFree(managed));
    must(cudaMalloc(&memory, 4096));
    must(cudaFreeAsync(memory, stream));
    must(cudaStreamSynchronize(stream));
    must(cudaStreamDestroy(stream));
    return 0;
}
