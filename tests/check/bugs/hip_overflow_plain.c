// SPDX-License-Identifier: Apache-2.0
// A copy runs past the end of memory of hipMalloc().
// EXPECT: ERROR heap-overflow: write of 65536 byte(s) at 0x..., wrong from 0x... on by hipMemcpy, past the end of a block of device memory of 4096 byte(s)
// EXPECT: hip_overflow_plain.c:

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
    static char host[65536];
    void *block = NULL;
    must(hipMalloc(&block, 4096));
    (void)hipMemcpy(block, host, sizeof host, hipMemcpyHostToDevice);
    must(hipFree(block));
    return 0;
}
