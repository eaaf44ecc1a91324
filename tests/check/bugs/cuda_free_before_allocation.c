// SPDX-License-Identifier: Apache-2.0
// A block of the default stream goes to a worker, whose stream does not wait for the default stream and frees
// it: the free may run before the allocation. The same with a block of the worker that the default stream frees.
// EXPECT: ERROR use-before-event: free of 256 byte(s) at 0x... by cudaFreeAsync on stream ..., allocated in order of
// EXPECT:     ... main .../cuda_free_before_allocation.c:14
// EXPECT: ERROR use-before-event: free of 512 byte(s) at 0x... by cudaFreeAsync on the default stream, allocated in order of
// EXPECT:     ... main .../cuda_free_before_allocation.c:18

#include "check/support/cuda.h"

int main(void) {
    cudaStream_t worker = make_stream();
    char *given = alloc_on(NULL, 256);
    must(cudaFreeAsync(given, worker));
    must(cudaDeviceSynchronize());

    char *returned = alloc_on(worker, 512);
    must(cudaFreeAsync(returned, NULL));
    must(cudaDeviceSynchronize());
    must(cudaStreamDestroy(worker));
    return 0;
}
