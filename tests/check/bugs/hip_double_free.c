// SPDX-License-Identifier: Apache-2.0
// A block is freed twice.
// EXPECT: ERROR double-free: hipFree of 0x... again, a block of device memory of 4096 byte(s)

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
    must(hipFree(block));
    (void)hipFree(block);
    return 0;
}
