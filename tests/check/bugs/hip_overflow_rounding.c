// SPDX-License-Identifier: Apache-2.0
// hipMemset() goes past the requested size of memory, inside its granule.
// EXPECT: ERROR heap-overflow: write of 1024 byte(s) at 0x..., wrong from 0x... on by hipMemset, past the end of a block of device memory of 1000 byte(s)
// EXPECT:   access by thread
// EXPECT: hip_overflow_rounding.c:26
// EXPECT:   allocated by thread
// EXPECT: hip_overflow_rounding.c:25

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
    must(hipMalloc(&block, 1000));
    (void)hipMemset(block, 0, 1024);
    must(hipFree(block));
    return 0;
}
