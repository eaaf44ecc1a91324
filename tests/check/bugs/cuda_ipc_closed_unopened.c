// SPDX-License-Identifier: Apache-2.0
// Addresses that no handle was opened at are closed: a block of a pool, and pinned memory.
// EXPECT: ERROR wrong-family-free: cudaIpcCloseMemHandle of 0x..., which is region R1 of a pool
// EXPECT: ERROR wrong-family-free: cudaIpcCloseMemHandle of 0x..., which is a block of pinned memory of 4096 byte(s)
// EXPECT:     ... main .../cuda_ipc_closed_unopened.c:
#include "check/support/cuda.h"

int main(void) {
    cudaStream_t stream = make_stream();
    char *block = alloc_on(stream, 4096);
    void *pinned = NULL;
    (void)cudaIpcCloseMemHandle(block);
    must(cudaMallocHost(&pinned, 4096));
    (void)cudaIpcCloseMemHandle(pinned);
    must(cudaFreeHost(pinned));
    must(cudaFreeAsync(block, stream));
    must(cudaStreamSynchronize(stream));
    (void)cudaDeviceReset();
    return 0;
}
