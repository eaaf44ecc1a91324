// SPDX-License-Identifier: Apache-2.0
// A memset of a block of the default pool runs 8 bytes over its end.
// EXPECT: ERROR heap-overflow: write of 1008 byte(s) at 0x...
// EXPECT: region R1 ... size 1000

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
    must(hipMallocAsync(&block, 1000, NULL));
    must(hipMemsetAsync(block, 0, 1008, NULL));
    must(hipFreeAsync(block, NULL));
    must(hipDeviceSynchronize());
    return 0;
}
