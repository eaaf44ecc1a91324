// SPDX-License-Identifier: Apache-2.0
// A copy between two arrays begins before the first one is filled: the event is recorded too early.
// EXPECT: ERROR copy-race: read of 256 byte(s) at 0x... is unordered with the write by cudaMemcpy2DToArrayAsync... in a device array of 16384 byte(s)
// EXPECT:     ... main .../cuda_array_race.c:25

#include "check/support/cuda.h"

enum { SIDE = 64, PITCH = SIDE * 4 };

int main(void) {
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaStream_t filler = make_stream(), reader = make_stream();
    cudaEvent_t filled = NULL;
    cudaArray_t array = NULL;
    void *host = NULL, *out = NULL;
    must(cudaEventCreate(&filled));
    must(cudaMallocArray(&array, &format, SIDE, SIDE, 0));
    must(cudaMallocHost(&host, PITCH * SIDE));
    must(cudaMalloc(&out, PITCH * SIDE));
    memset(host, 1, PITCH * SIDE);
    must(cudaEventRecord(filled, filler));
    must(cudaMemcpy2DToArrayAsync(array, 0, 0, host, PITCH, PITCH, SIDE, cudaMemcpyHostToDevice,
                                  filler));
    must(cudaStreamWaitEvent(reader, filled, 0));
    must(cudaMemcpy2DFromArrayAsync(out, PITCH, array, 0, 0, PITCH, SIDE, cudaMemcpyDeviceToDevice,
                                    reader));
    must(cudaDeviceSynchronize());
    must(cudaFreeArray(array));
    must(cudaFreeHost(host));
    must(cudaFree(out));
    must(cudaEventDestroy(filled));
    must(cudaStreamDestroy(filler));
    must(cudaStreamDestroy(reader));
    return 0;
}
