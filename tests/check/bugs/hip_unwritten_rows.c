// SPDX-License-Identifier: Apache-2.0
// Rows with a pitch: all but the last row are set, and all are copied.
// EXPECT: ERROR uninitialised-read: 100 of 100 byte(s) at 0x... never written since

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
    static char out[100 * 8];
    void *memory = NULL;
    size_t pitch = 0;
    must(hipMallocPitch(&memory, &pitch, 256, 8));
    must(hipMemset2D((char *)memory + 156, pitch, 1, 100, 7));
    must(hipMemcpy2D(out, 100, (char *)memory + 156, pitch, 100, 8, hipMemcpyDeviceToHost));
    must(hipFree(memory));
    return 0;
}
