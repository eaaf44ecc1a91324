// SPDX-License-Identifier: Apache-2.0
// A volume is uploaded with one slice more than its block has.
// EXPECT: ERROR heap-overflow: write of 64 byte(s) at 0x... by hipMemcpy3DAsync
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_volume_too_deep.c:23
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_volume_too_deep.c:18

#include "check/support/hip.h"

enum { WIDTH = 64, ROWS = 8, SLICES = 4 };

int main(void) {
    static char volume[WIDTH * ROWS * (SLICES + 1)];
    hipMemcpy3DParms copy = {0};
    void *block = NULL;
    hipStream_t stream = make_stream();
    must(hipMallocAsync(&block, WIDTH * ROWS * SLICES, stream));
    copy.srcPtr = make_hipPitchedPtr(volume, WIDTH, WIDTH, ROWS);
    copy.dstPtr = make_hipPitchedPtr(block, WIDTH, WIDTH, ROWS);
    copy.extent = make_hipExtent(WIDTH, ROWS, SLICES + 1);
    copy.kind = hipMemcpyHostToDevice;
    (void)hipMemcpy3DAsync(&copy, stream);
    must(hipFreeAsync(block, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
