// SPDX-License-Identifier: Apache-2.0
// An array is copied to another one before anything was written there, and the result is read.
// EXPECT: ERROR uninitialised-read: 64 of 64 byte(s) at byte ... of a device array never written since creation of R...
// EXPECT:     ... main .../cuda_array_unwritten.c:21

#include "check/support/cuda.h"

int main(void) {
    const CUDA_ARRAY_DESCRIPTOR shape = {16, 8, CU_AD_FORMAT_FLOAT, 1};
    CUarray array = NULL;
    static float rows[8][16];
    must(cudaFree(NULL)); // makes a context current
    must_drive(cuArrayCreate(&array, &shape));
    CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = array,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = rows,
                          .dstPitch = 64,
                          .WidthInBytes = 64,
                          .Height = 8};
    must_drive(cuMemcpy2D(&copy));
    must_drive(cuArrayDestroy(array));
    return 0;
}
