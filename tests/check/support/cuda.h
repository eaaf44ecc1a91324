/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for programs that use CUDA. A call that must succeed, and does not, ends the program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

#define UNUSED           __attribute__((unused))
#define must(call)       must_be((call), #call)
#define must_drive(call) must_be((cudaError_t)(call), #call) /* the numbers are the same */

enum { PAGE = 2 << 20 };

UNUSED static void must_be(cudaError_t error, const char *call) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
        exit(2);
    }
}

UNUSED static cudaStream_t make_stream(void) {
    cudaStream_t stream = NULL;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

UNUSED static char *alloc_on(cudaStream_t stream, size_t bytes) {
    void *block = NULL;
    must(cudaMallocAsync(&block, bytes, stream));
    return (char *)block;
}
