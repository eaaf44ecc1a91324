// SPDX-License-Identifier: Apache-2.0
// cudaMemcpyPeer() carries bytes that nothing wrote to another block, and the host reads them.
// EXPECT: ERROR uninitialised-read: 2000 of 2000 byte(s) at 0x... never written since registration
// of R1, copied to R2 unwritten, read by cudaMemcpy

#include "check/support/cuda.h"

int main(void) {
    static char out[2000];
    char *from = NULL, *to = NULL;
    must(cudaMalloc((void **)&from, sizeof out));
    must(cudaMalloc((void **)&to, sizeof out));
    must(cudaMemcpyPeer(to, 0, from, 0, sizeof out));
    must(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    must(cudaFree(from));
    must(cudaFree(to));
    return 0;
}
