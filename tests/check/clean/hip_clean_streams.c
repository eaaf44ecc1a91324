// SPDX-License-Identifier: Apache-2.0
// Streams that wait for events.

#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime_api.h>

#define must(call) must_be((call), #call)

static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

int main(void) {

    hipStream_t one, two;
    hipEvent_t event;
    void *block = NULL;
    must(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    must(hipEventCreate(&event));
    must(hipMallocAsync(&block, 1 << 20, one));
    must(hipMemsetAsync(block, 0, 1 << 20, one));
    must(hipEventRecord(event, one));
    must(hipStreamWaitEvent(two, event, 0));
    must(hipMemsetAsync(block, 1, 1 << 20, two));
    must(hipFreeAsync(block, two));
    must(hipStreamSynchronize(two));
    must(hipEventDestroy(event));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(two));
    return 0;
}
