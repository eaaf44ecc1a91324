// SPDX-License-Identifier: Apache-2.0
// An allocation is a point in the order of its stream, even if nothing else is in the stream. The null
// stream and the streams that it blocks wait for each other there, too.

#include "check/support/cuda.h"

enum { BYTES = 4096 };

static char *alloc_in(cudaStream_t stream) {
    void *block = NULL;
    must(cudaMallocAsync(&block, BYTES, stream));
    return (char *)block;
}

int main(void) {
    cudaStream_t first = NULL;
    cudaStream_t second = NULL;
    void *host = NULL;
    must(cudaStreamCreate(&first));
    must(cudaStreamCreate(&second));
    must(cudaMallocHost(&host, BYTES));
    memset(host, 1, BYTES);

    char *fill = alloc_in(first);
    must(cudaMemset(fill, 0, BYTES));
    char *fill_later = alloc_in(first);
    must(cudaMemsetAsync(fill_later, 0, BYTES, NULL));
    char *copy = alloc_in(first);
    must(cudaMemcpy(copy, host, BYTES, cudaMemcpyHostToDevice));
    char *copy_later = alloc_in(first);
    must(cudaMemcpyAsync(copy_later, host, BYTES, cudaMemcpyHostToDevice, NULL));
    char *of_null = alloc_in(NULL);
    must(cudaMemsetAsync(of_null, 0, BYTES, first));

    char *through = alloc_in(first); // the null stream orders two streams
    must(cudaMemsetAsync(fill, 1, BYTES, NULL));
    must(cudaMemsetAsync(through, 1, BYTES, second));

    char *queried = alloc_in(first); // a query that succeeds is a wait
    while (cudaStreamQuery(first) == cudaErrorNotReady) {
    }
    must(cudaMemsetAsync(queried, 1, BYTES, second));

    must(
        cudaMemsetAsync(fill_later, 1, BYTES, first)); // a free behind work on a stream that blocks
    must(cudaFreeAsync(fill_later, NULL));
    must(cudaDeviceSynchronize());
    must(cudaFreeAsync(fill, first));
    must(cudaFreeAsync(copy, first));
    must(cudaFreeAsync(copy_later, first));
    must(cudaFreeAsync(of_null, first));
    must(cudaFreeAsync(through, second));
    must(cudaFreeAsync(queried, first));
    must(cudaDeviceSynchronize());
    must(cudaFreeHost(host));
    must(cudaStreamDestroy(first));
    must(cudaStreamDestroy(second));
    return 0;
}
