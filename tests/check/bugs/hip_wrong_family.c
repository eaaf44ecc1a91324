// SPDX-License-Identifier: Apache-2.0
// Pinned host memory is freed in the order of a stream, as only device memory is.
// EXPECT: ERROR wrong-family-free: hipFreeAsync of 0x..., which is a block of pinned memory of 4096 byte(s)

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
    must(hipHostMalloc(&block, 4096, 0));
    (void)hipFreeAsync(block, NULL);
    must(hipHostFree(block));
    return 0;
}
