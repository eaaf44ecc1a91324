// SPDX-License-Identifier: Apache-2.0
// A block of a pool, plain memory and a reservation are live at the exit, and a stream is used behind its end.
// EXPECT: ERROR bad-handle: cudaStreamSynchronize with 0x..., which was destroyed
// EXPECT: ERROR leak: 1000 byte(s) in 1 region(s)
// EXPECT: ERROR resource-leak: 1 block of device memory of 4096 byte(s)
// EXPECT: ERROR resource-leak: 1 reservation of 2097152 byte(s)
#include "check/support/cuda.h"

int main(void) {
    cudaStream_t stream = make_stream();
    CUdeviceptr at = 0;
    void *plain = NULL;
    (void)alloc_on(stream, 1000);
    must(cudaMalloc(&plain, 4096));
    must_drive(cuMemAddressReserve(&at, PAGE, 0, 0, 0));
    must(cudaStreamDestroy(stream));
    (void)cudaStreamSynchronize(stream);
    return 0;
}
