// SPDX-License-Identifier: Apache-2.0
// A frame is copied out of an array on one stream while the next frame is copied in on another.
// EXPECT: ERROR copy-race: write of 256 byte(s) at 0x... by hipMemcpy2DToArrayAsync on stream 0x... is unordered with the read by hipMemcpy2DFromArrayAsync on stream 0x..., in a device array of 16384 byte(s)
// EXPECT:     ... main .../hip_array_race.c:26
// EXPECT:     ... main .../hip_array_race.c:24

#include "check/support/hip.h"

enum { SIDE = 64, PITCH = SIDE * 4 };

int main(void) {
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    hipStream_t in = make_stream(), out = make_stream();
    hipArray_t array = NULL;
    void *frame[2];
    must(hipMallocArray(&array, &format, SIDE, SIDE, 0));
    for (int i = 0; i < 2; i++) {
        must(hipHostMalloc(&frame[i], PITCH * SIDE, 0));
        memset(frame[i], i, PITCH * SIDE);
    }
    must(hipMemcpy2DToArrayAsync(array, 0, 0, frame[0], PITCH, PITCH, SIDE, hipMemcpyHostToDevice,
                                 in));
    must(hipStreamSynchronize(in));
    must(hipMemcpy2DFromArrayAsync(frame[1], PITCH, array, 0, 0, PITCH, SIDE, hipMemcpyDeviceToHost,
                                   out));
    must(hipMemcpy2DToArrayAsync(array, 0, 0, frame[0], PITCH, PITCH, SIDE, hipMemcpyHostToDevice,
                                 in));
    must(hipStreamSynchronize(in));
    must(hipStreamSynchronize(out));
    must(hipFreeArray(array));
    for (int i = 0; i < 2; i++) must(hipHostFree(frame[i]));
    must(hipStreamDestroy(in));
    must(hipStreamDestroy(out));
    return 0;
}
