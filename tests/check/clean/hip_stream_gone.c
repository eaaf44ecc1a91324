// SPDX-License-Identifier: Apache-2.0
// Memory is freed in the order of a stream, which then ends. Another stream gets the memory.

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

enum { BYTES = 64 << 20, ROUNDS = 4 };

int main(void) {
    hipStream_t last = NULL;
    must(hipStreamCreate(&last));
    for (int i = 0; i < ROUNDS; i++) {
        hipStream_t stream = NULL;
        hipEvent_t event = NULL;
        void *block = NULL;
        must(hipStreamCreate(&stream));
        must(hipEventCreate(&event));
        must(hipMallocAsync(&block, BYTES, stream));
        must(hipMemsetAsync(block, 1, BYTES, stream));
        must(hipFreeAsync(block, stream));
        must(hipEventRecord(event, stream));
        must(hipStreamWaitEvent(last, event, 0));
        must(hipEventDestroy(event));
        must(hipStreamDestroy(stream));
        must(hipMallocAsync(&block, BYTES, last));
        must(hipFreeAsync(block, last));
    }
    must(hipStreamSynchronize(last));
    must(hipStreamDestroy(last));
    return 0;
}
