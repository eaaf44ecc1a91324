// SPDX-License-Identifier: Apache-2.0
// Memory is never freed.
// EXPECT: ERROR resource-leak: 1 block of device memory of 10...

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
    must(hipMalloc(&block, 1 << 20));
    return 0;
}
