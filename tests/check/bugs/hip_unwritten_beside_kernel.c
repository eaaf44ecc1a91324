// SPDX-License-Identifier: Apache-2.0
// A kernel writes one of two arrays, and both are copied.
// EXPECT: ERROR uninitialised-read: 4000 of 4000 byte(s) at 0x... never written since ... by hipMemcpyAsync

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

enum { COUNT = 1000 };

static hipError_t set_all(const void *bytes, const hipExtHostBlock *block, const char **why) {
    int *values = NULL;
    (void)block, (void)why;
    memcpy(&values, bytes, sizeof values);
    for (size_t i = 0; i < COUNT; i++) values[i] = (int)i;
    return hipSuccess;
}

int main(void) {
    static int out[2][COUNT];
    const dim3 one = {1, 1, 1};
    hipStream_t stream = NULL;
    int *values[2] = {NULL, NULL};
    must(hipStreamCreate(&stream));
    for (int i = 0; i < 2; i++) must(hipMalloc((void **)&values[i], sizeof out[i]));
    must(hipExtLaunchHostKernel(set_all, one, one, 0, stream, &values[0], sizeof values[0]));
    for (int i = 0; i < 2; i++)
        must(hipMemcpyAsync(out[i], values[i], sizeof out[i], hipMemcpyDeviceToHost, stream));
    must(hipStreamSynchronize(stream));
    must(hipFree(values[0]));
    must(hipFree(values[1]));
    must(hipStreamDestroy(stream));
    return 0;
}
