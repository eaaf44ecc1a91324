// SPDX-License-Identifier: Apache-2.0
// Memory is allocated both ways, filled, copied and freed.

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

    static char out[1 << 20];
    void *block = NULL, *other = NULL;
    must(hipMalloc(&block, sizeof out));
    must(hipMallocAsync(&other, sizeof out, NULL));
    must(hipMemset(block, 1, sizeof out));
    must(hipMemcpyAsync(other, block, sizeof out, hipMemcpyDeviceToDevice, NULL));
    must(hipMemcpy(out, other, sizeof out, hipMemcpyDeviceToHost));
    must(hipFreeAsync(other, NULL));
    must(hipFree(block));
    return 0;
}
