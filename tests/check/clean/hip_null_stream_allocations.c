// SPDX-License-Identifier: Apache-2.0
// An allocation is a point in the order of its stream, even if nothing else is in the stream. The null
// stream and the streams that it blocks wait for each other there, too.

#include "check/support/hip.h"

enum { BYTES = 4096 };

static char *alloc_in(hipStream_t stream) {
    void *block = NULL;
    must(hipMallocAsync(&block, BYTES, stream));
    return (char *)block;
}

int main(void) {
    hipStream_t first = NULL;
    hipStream_t second = NULL;
    void *host = NULL;
    must(hipStreamCreate(&first));
    must(hipStreamCreate(&second));
    must(hipHostMalloc(&host, BYTES, 0));
    memset(host, 1, BYTES);

    char *fill = alloc_in(first);
    must(hipMemset(fill, 0, BYTES));
    char *fill_later = alloc_in(first);
    must(hipMemsetAsync(fill_later, 0, BYTES, NULL));
    char *copy = alloc_in(first);
    must(hipMemcpy(copy, host, BYTES, hipMemcpyHostToDevice));
    char *copy_later = alloc_in(first);
    must(hipMemcpyAsync(copy_later, host, BYTES, hipMemcpyHostToDevice, NULL));
    char *of_null = alloc_in(NULL);
    must(hipMemsetAsync(of_null, 0, BYTES, first));

    char *through = alloc_in(first); // the null stream orders two streams
    must(hipMemsetAsync(fill, 1, BYTES, NULL));
    must(hipMemsetAsync(through, 1, BYTES, second));

    char *queried = alloc_in(first); // a query that succeeds is a wait
    while (hipStreamQuery(first) == hipErrorNotReady) {
    }
    must(hipMemsetAsync(queried, 1, BYTES, second));

    must(hipMemsetAsync(fill_later, 1, BYTES, first)); // a free behind work on a stream that blocks
    must(hipFreeAsync(fill_later, NULL));
    must(hipDeviceSynchronize());
    must(hipFreeAsync(fill, first));
    must(hipFreeAsync(copy, first));
    must(hipFreeAsync(copy_later, first));
    must(hipFreeAsync(of_null, first));
    must(hipFreeAsync(through, second));
    must(hipFreeAsync(queried, first));
    must(hipDeviceSynchronize());
    must(hipHostFree(host));
    must(hipStreamDestroy(first));
    must(hipStreamDestroy(second));
    return 0;
}
