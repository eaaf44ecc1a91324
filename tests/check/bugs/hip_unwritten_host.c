// SPDX-License-Identifier: Apache-2.0
// Pinned memory is copied to the device with its last bytes, which the program has not written.
// EXPECT: ERROR uninitialised-read: at least 8 of 1000 byte(s) at 0x... never written since ... by hipMemcpy

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
    char *host = NULL;
    void *memory = NULL;
    must(hipHostMalloc((void **)&host, 1000, hipHostMallocDefault));
    must(hipMalloc(&memory, 1000));
    memset(host, 'x', 900);
    must(hipMemcpy(memory, host, 1000, hipMemcpyHostToDevice));
    must(hipFree(memory));
    must(hipHostFree(host));
    return 0;
}
