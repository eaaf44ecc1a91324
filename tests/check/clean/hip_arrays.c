// SPDX-License-Identifier: Apache-2.0
// Two streams take turns with an array by events; a mipmapped array is freed with its levels; a level
// that is never written is never read; NULL is no array.

#include "check/support/hip.h"

enum { SIDE = 64, PITCH = SIDE * 4 };

int main(void) {
    hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    hipStream_t stream[2] = {make_stream(), make_stream()};
    hipMipmappedArray_t mipmap = NULL;
    hipArray_t array = NULL, level = NULL;
    hipEvent_t turn = NULL;
    void *frame = NULL, *out = NULL;
    must(hipEventCreate(&turn));
    must(hipMallocArray(&array, &format, SIDE, SIDE, 0));
    must(hipHostMalloc(&frame, PITCH * SIDE, 0));
    must(hipMalloc(&out, PITCH * SIDE));
    memset(frame, 1, PITCH * SIDE);
    for (int i = 0; i < 4; i++) {
        hipStream_t now = stream[i % 2];
        if (i != 0) must(hipStreamWaitEvent(now, turn, 0));
        must(hipMemcpy2DToArrayAsync(array, 0, 0, frame, PITCH, PITCH, SIDE, hipMemcpyHostToDevice,
                                     now));
        must(hipMemcpy2DFromArrayAsync(out, PITCH, array, 0, 0, PITCH, SIDE,
                                       hipMemcpyDeviceToDevice, now));
        must(hipEventRecord(turn, now));
    }
    must(hipEventSynchronize(turn));
    must(hipMallocMipmappedArray(&mipmap, &format, make_hipExtent(SIDE, SIDE, 0), 3, 0));
    must(hipGetMipmappedArrayLevel(&level, mipmap, 1));
    must(hipMemcpy2DToArray(level, 0, 0, frame, PITCH, PITCH / 2, SIDE / 2, hipMemcpyHostToDevice));
    must(hipMemcpy2DFromArray(frame, PITCH, level, 0, 0, PITCH / 2, SIDE / 2,
                              hipMemcpyDeviceToHost));
    must(hipFreeMipmappedArray(mipmap));
    must(hipFreeArray(array)); // waits
    must(hipHostFree(frame));
    must(hipFree(out));
    must(hipEventDestroy(turn));
    for (int i = 0; i < 2; i++) must(hipStreamDestroy(stream[i]));
    (void)hipFreeArray(NULL);
    return 0;
}
