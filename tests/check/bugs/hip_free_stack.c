// SPDX-License-Identifier: Apache-2.0
// The address of a variable is freed.
// EXPECT: ERROR invalid-free: hipFree of 0x..., which is no block that can be freed
// EXPECT:   freed by thread
// EXPECT: hip_free_stack.c:

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
    int variable = 0;
    must(hipSetDevice(0));
    (void)hipFree(&variable);
    return 0;
}
