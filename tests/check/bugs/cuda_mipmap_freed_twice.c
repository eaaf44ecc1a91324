// SPDX-License-Identifier: Apache-2.0
// A mipmapped array is freed by two owners, and a level of it is asked for afterwards.
// EXPECT: ERROR bad-handle: cudaFreeMipmappedArray with 0x..., which was destroyed
// EXPECT:     ... main .../cuda_mipmap_freed_twice.c:19
// EXPECT:   freed by thread
// EXPECT:     ... main .../cuda_mipmap_freed_twice.c:18
// EXPECT: ERROR bad-handle: cudaGetMipmappedArrayLevel with 0x..., which was destroyed
// EXPECT:     ... main .../cuda_mipmap_freed_twice.c:20

#include "check/support/cuda.h"

int main(void) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    const struct cudaExtent size = {64, 64, 0};
    cudaMipmappedArray_t mipmap = NULL;
    cudaArray_t level = NULL;
    must(cudaMallocMipmappedArray(&mipmap, &format, size, 4, 0));
    must(cudaFreeMipmappedArray(mipmap));
    (void)cudaFreeMipmappedArray(mipmap);
    (void)cudaGetMipmappedArrayLevel(&level, mipmap, 0);
    return 0;
}
