// SPDX-License-Identifier: Apache-2.0
// Two streams work on the same bytes without order, a free does not wait for the other stream, work does
// not wait for an allocation, and a wait is for an event that was never recorded.
// EXPECT: ERROR copy-race: read of 4096 byte(s) at 0x... by cudaMemcpyAsync on stream 0x... is unordered with the write by cudaMemsetAsync
// EXPECT: ERROR use-before-event: write of 4096 byte(s) at 0x... by cudaMemsetAsync on stream 0x..., allocated in order of stream
// EXPECT: ERROR stream-use-after-free: free in order of stream 0x... of 4096 byte(s) at 0x... that cudaMemcpyAsync on stream 0x... may still read
// EXPECT: NOTE wait-without-record: stream 0x... waits for event 0x..., which was never recorded
#include "check/support/cuda.h"

int main(void) {
    cudaStream_t first = make_stream();
    cudaStream_t second = make_stream();
    cudaEvent_t event = NULL;
    void *plain = NULL;
    char *host = NULL;
    must(cudaMalloc(&plain, 4096));
    must(cudaMallocHost((void **)&host, 4096));
    must(cudaMemsetAsync(plain, 1, 4096, first));
    must(cudaMemcpyAsync(host, plain, 4096, cudaMemcpyDeviceToHost, second));
    must(cudaDeviceSynchronize());
    char *block = alloc_on(first, 4096);
    must(cudaMemsetAsync(block, 1, 4096, second));
    must(cudaDeviceSynchronize());
    must(cudaMemcpyAsync(host, block, 4096, cudaMemcpyDeviceToHost, second));
    must(cudaFreeAsync(block, first));
    must(cudaDeviceSynchronize());
    must(cudaEventCreate(&event));
    must(cudaStreamWaitEvent(second, event, 0));
    must(cudaEventDestroy(event));
    must(cudaFree(plain));
    must(cudaFreeHost(host));
    must(cudaStreamDestroy(first));
    must(cudaStreamDestroy(second));
    return 0;
}
