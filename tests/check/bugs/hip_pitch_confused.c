// SPDX-License-Identifier: Apache-2.0
// An image is copied with the pitch of another one, so that the last row ends behind its block.
// EXPECT: ERROR heap-overflow: write of 100 byte(s) at 0x..., wrong from 0x... on by hipMemcpy2DAsync
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_pitch_confused.c:18
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_pitch_confused.c:17

#include "check/support/hip.h"

enum { WIDTH = 100, PITCH = 128, ROWS = 8 };

int main(void) {
    hipStream_t stream = make_stream();
    static char image[PITCH * ROWS];
    void *block = NULL;
    must(hipMallocAsync(&block, WIDTH * ROWS, stream));
    must(hipMemcpy2DAsync(block, PITCH, image, PITCH, WIDTH, ROWS, hipMemcpyHostToDevice, stream));
    must(hipFreeAsync(block, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
