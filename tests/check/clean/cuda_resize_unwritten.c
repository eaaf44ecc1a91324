// SPDX-License-Identifier: Apache-2.0
// A matrix moves to rows of another pitch before all of its rows were written, and only the written part
// is read.

#include "check/support/cuda.h"

int main(void) {
    static char out[8 * 64];
    char *from = NULL, *to = NULL;
    must(cudaMalloc((void **)&from, 16 * 100));
    must(cudaMalloc((void **)&to, 16 * 256));
    must(cudaMemset2D(from, 100, 1, 100, 8));
    must(cudaMemcpy2D(to, 256, from, 100, 100, 16, cudaMemcpyDeviceToDevice));
    must(cudaMemcpy2D(out, 64, to, 256, 64, 8, cudaMemcpyDeviceToHost));
    must(cudaFree(from));
    must(cudaFree(to));
    return 0;
}
