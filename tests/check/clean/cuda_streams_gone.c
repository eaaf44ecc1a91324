// SPDX-License-Identifier: Apache-2.0
// The work of a stream that was destroyed goes on. It is known when the device is waited for, when an event of
// the stream is, or when another stream waits for that event. Many such streams come and go.

#include "check/support/cuda.h"

enum { BYTES = 4096, STREAMS = 600 };

int main(void) {
    cudaStream_t reader = make_stream();
    cudaEvent_t event = NULL;
    void *block = NULL;
    void *host = NULL;
    must(cudaEventCreate(&event));
    must(cudaMalloc(&block, BYTES));
    must(cudaMallocHost(&host, BYTES));

    cudaStream_t writer = make_stream();
    must(cudaMemsetAsync(block, 1, BYTES, writer));
    must(cudaStreamDestroy(writer));
    must(cudaDeviceSynchronize());
    must(cudaMemcpyAsync(host, block, BYTES, cudaMemcpyDeviceToHost, reader));

    writer = make_stream();
    must(cudaStreamSynchronize(reader));
    must(cudaMemsetAsync(block, 2, BYTES, writer));
    must(cudaEventRecord(event, writer));
    must(cudaStreamDestroy(writer));
    must(cudaStreamWaitEvent(reader, event, 0));
    must(cudaMemcpyAsync(host, block, BYTES, cudaMemcpyDeviceToHost, reader));
    must(cudaStreamSynchronize(reader));

    for (int i = 0; i < STREAMS; i++) {
        char *own = alloc_on(reader, BYTES);
        must(cudaStreamSynchronize(reader));
        writer = make_stream();
        must(cudaMemsetAsync(own, 3, BYTES, writer));
        must(cudaFreeAsync(own, writer));
        must(cudaStreamDestroy(writer));
    }
    must(cudaDeviceSynchronize());
    must(cudaEventDestroy(event));
    must(cudaFreeHost(host));
    must(cudaFree(block));
    must(cudaStreamDestroy(reader));
    return 0;
}
