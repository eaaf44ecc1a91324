// SPDX-License-Identifier: Apache-2.0
// A stream is destroyed while it works. That is no wait, so a copy on another stream races with the work.
// EXPECT: ERROR copy-race: read of 4096 byte(s) at 0x... by cudaMemcpyAsync on stream ... is unordered with the write by cudaMemsetAsync on stream
// EXPECT:     ... main .../cuda_stream_destroyed_between.c:18
// EXPECT:     ... main .../cuda_stream_destroyed_between.c:16

#include "check/support/cuda.h"

int main(void) {
    cudaStream_t first = make_stream();
    cudaStream_t second = make_stream();
    void *block = NULL;
    void *host = NULL;
    must(cudaMalloc(&block, 4096));
    must(cudaMallocHost(&host, 4096));
    must(cudaMemsetAsync(block, 1, 4096, first));
    must(cudaStreamDestroy(first));
    must(cudaMemcpyAsync(host, block, 4096, cudaMemcpyDeviceToHost, second));
    must(cudaDeviceSynchronize());
    must(cudaFreeHost(host));
    must(cudaFree(block));
    must(cudaStreamDestroy(second));
    return 0;
}
