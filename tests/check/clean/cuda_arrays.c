// SPDX-License-Identifier: Apache-2.0
// An array is filled by one array copy from another, part by part, and a volume slice by slice.

#include "check/support/cuda.h"

enum { SIDE = 32 };

int main(void) {
    const CUDA_ARRAY_DESCRIPTOR shape = {SIDE, SIDE, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    const CUDA_ARRAY3D_DESCRIPTOR deep = {SIDE, SIDE, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
    static char bytes[SIDE][SIDE];
    CUarray one = NULL, other = NULL, volume = NULL;
    must(cudaFree(NULL)); // makes a context current
    must_drive(cuArrayCreate(&one, &shape));
    must_drive(cuArrayCreate(&other, &shape));
    must_drive(cuArray3DCreate(&volume, &deep));
    CUDA_MEMCPY2D fill = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = bytes,
                          .srcPitch = SIDE,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = one,
                          .WidthInBytes = SIDE,
                          .Height = SIDE / 2};
    must_drive(cuMemcpy2D(&fill));
    CUDA_MEMCPY2D across = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                            .srcArray = one,
                            .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                            .dstArray = other,
                            .dstY = SIDE / 2,
                            .WidthInBytes = SIDE,
                            .Height = SIDE / 2};
    must_drive(cuMemcpy2D(&across));
    CUDA_MEMCPY2D out = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                         .srcArray = other,
                         .srcY = SIDE / 2,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = bytes,
                         .dstPitch = SIDE,
                         .WidthInBytes = SIDE,
                         .Height = SIDE / 2};
    must_drive(cuMemcpy2D(&out));
    for (size_t z = 0; z < 4; z++) {
        CUDA_MEMCPY3D slice = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                               .srcHost = bytes,
                               .srcPitch = SIDE,
                               .srcHeight = SIDE,
                               .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                               .dstArray = volume,
                               .dstZ = z,
                               .WidthInBytes = SIDE,
                               .Height = SIDE,
                               .Depth = 1};
        must_drive(cuMemcpy3D(&slice));
    }
    CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = volume,
                          .srcZ = 1,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = bytes,
                          .dstPitch = SIDE / 4,
                          .dstHeight = SIDE,
                          .WidthInBytes = SIDE / 4,
                          .Height = SIDE,
                          .Depth = 3};
    must_drive(cuMemcpy3D(&back));
    must_drive(cuArrayDestroy(one));
    must_drive(cuArrayDestroy(other));
    must_drive(cuArrayDestroy(volume));
    return 0;
}
