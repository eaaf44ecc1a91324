// SPDX-License-Identifier: Apache-2.0
// A copy to the host reads memory of hipMalloc() that nothing has written.
// EXPECT: ERROR uninitialised-read: 1000 of 1000 byte(s) at 0x... never written since ... by hipMemcpy
// EXPECT:   allocated by
// EXPECT: hipMalloc

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    void *memory = NULL;
    must(hipMalloc(&memory, sizeof out));
    must(hipMemcpy(out, memory, sizeof out, hipMemcpyDeviceToHost));
    must(hipFree(memory));
    return 0;
}
