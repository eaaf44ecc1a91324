// SPDX-License-Identifier: Apache-2.0
// A program asks for more than there is until it gets a block, and plain memory gets the rest.

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    void *block = NULL;
    void *rest = NULL;
    size_t left = 0;
    size_t total = 0;
    must(hipMemGetInfo(&left, &total));
    size_t bytes = 2 * total;
    while (hipMallocAsync(&block, bytes, stream) != hipSuccess) bytes /= 2;
    must(hipMemsetAsync(block, 1, 4096, stream));
    must(hipStreamSynchronize(stream));
    must(hipFreeAsync(block, stream));
    must(hipStreamSynchronize(stream));
    (void)hipGetLastError();
    must(hipMemGetInfo(&left, &total));
    must(hipMalloc(&rest, left));
    must(hipFree(rest));
    must(hipStreamDestroy(stream));
    return 0;
}
