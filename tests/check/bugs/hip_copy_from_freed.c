// SPDX-License-Identifier: Apache-2.0
// A copy reads memory that was freed, and a fill writes to it.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by hipMemcpy, in a block of device memory of 4096 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT: hipMemcpy
// EXPECT: hip_copy_from_freed.c:
// EXPECT:   allocated by thread
// EXPECT: hipMalloc
// EXPECT:   freed by thread
// EXPECT: hipFree
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by hipMemset, in a block of device memory of 4096 byte(s) at 0x... that was freed

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
    char host[64];
    void *block = NULL;
    must(hipMalloc(&block, 4096));
    must(hipMemset(block, 1, 4096));
    must(hipFree(block));
    (void)hipMemcpy(host, block, sizeof host, hipMemcpyDeviceToHost);
    (void)hipMemset(block, 2, sizeof host);
    return 0;
}
