// SPDX-License-Identifier: Apache-2.0
// A block is used behind its free on the same stream.
// EXPECT: ERROR use-after-free: write of 16 byte(s) at 0x...
// EXPECT:   is 0 byte(s) inside freed region R1 ... size 1000

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

    hipStream_t stream;
    void *block = NULL;
    must(hipStreamCreate(&stream));
    must(hipMallocAsync(&block, 1000, stream));
    must(hipMemsetAsync(block, 0, 1000, stream));
    must(hipFreeAsync(block, stream));
    must(hipMemsetAsync(block, 0, 16, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
