// SPDX-License-Identifier: Apache-2.0
// Device memory is freed as pinned host memory is.
// EXPECT: ERROR wrong-family-free: hipHostFree of 0x..., which is a block of device memory of
// 4096 byte(s)

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
    must(hipMalloc(&block, 4096));
    (void)hipHostFree(block);
    must(hipFree(block));
    return 0;
}
