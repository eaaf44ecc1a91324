// SPDX-License-Identifier: Apache-2.0
// Objects of the program end in a handler at the exit: a block of a pool, its stream, an event and plain
// memory.

#include "check/support/cuda.h"

static void *block, *pooled;
static cudaStream_t stream;
static cudaEvent_t event;

static void end_all(void) {
    must(cudaFreeAsync(pooled, stream));
    must(cudaStreamSynchronize(stream));
    must(cudaEventDestroy(event));
    must(cudaStreamDestroy(stream));
    must(cudaFree(block));
}

int main(void) {
    (void)atexit(end_all);
    must(cudaMalloc(&block, 1000));
    must(cudaStreamCreate(&stream));
    must(cudaEventCreate(&event));
    must(cudaMallocAsync(&pooled, 1000, stream));
    must(cudaEventRecord(event, stream));
    return 0;
}
