// SPDX-License-Identifier: Apache-2.0
// A level is kept longer than its mipmapped array.
// EXPECT: ERROR bad-handle: hipMemcpy2DToArray with 0x..., which was destroyed
// EXPECT:     ... main .../hip_mipmap_level_kept.c:19
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_mipmap_level_kept.c:18

#include "check/support/hip.h"

int main(void) {
    hipChannelFormatDesc format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
    static char row[16];
    hipMipmappedArray_t mipmap = NULL;
    hipArray_t level = NULL;
    must(hipMallocMipmappedArray(&mipmap, &format, make_hipExtent(64, 64, 0), 3, 0));
    must(hipGetMipmappedArrayLevel(&level, mipmap, 2));
    must(hipMemcpy2DToArray(level, 0, 0, row, 16, 16, 1, hipMemcpyHostToDevice));
    must(hipFreeMipmappedArray(mipmap));
    (void)hipMemcpy2DToArray(level, 0, 0, row, 16, 16, 1, hipMemcpyHostToDevice);
    return 0;
}
