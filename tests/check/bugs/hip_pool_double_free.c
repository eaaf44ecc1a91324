// SPDX-License-Identifier: Apache-2.0
// A block of the stream's pool is freed twice.
// EXPECT: ERROR double-free: region R1 ...

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
    void *block = NULL;
    hipStream_t stream;
    must(hipStreamCreate(&stream));
    must(hipMallocAsync(&block, 1000, stream));
    must(hipFreeAsync(block, stream));
    (void)hipFreeAsync(block, stream);
    must(hipStreamDestroy(stream));
    return 0;
}
