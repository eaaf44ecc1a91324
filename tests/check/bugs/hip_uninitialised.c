// SPDX-License-Identifier: Apache-2.0
// A copy to the host reads a block that was never written.
// OPTIONS: --told-only
// EXPECT: ERROR uninitialised-read: 1000 of 1000 byte(s) at 0x... never written since registration
// of R1

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

    static char out[1000];
    void *block = NULL;
    must(hipMallocAsync(&block, sizeof out, NULL));
    must(hipStreamSynchronize(NULL));
    must(hipMemcpy(out, block, sizeof out, hipMemcpyDeviceToHost));
    must(hipFreeAsync(block, NULL));
    must(hipDeviceSynchronize());
    return 0;
}
