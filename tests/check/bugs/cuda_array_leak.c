// SPDX-License-Identifier: Apache-2.0
// A mipmapped array is lost with the pointer to it. Its levels have no memory of their own.
// EXPECT: ERROR resource-leak: 1 device array of 5440 byte(s) in all
// EXPECT:     ... main .../cuda_array_leak.c:13

#include "check/support/cuda.h"

int main(void) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    const struct cudaExtent size = {64, 64, 0};
    cudaMipmappedArray_t mipmap = NULL;
    cudaArray_t level = NULL;
    must(cudaMallocMipmappedArray(&mipmap, &format, size, 4, 0));
    must(cudaGetMipmappedArrayLevel(&level, mipmap, 1));
    return 0;
}
