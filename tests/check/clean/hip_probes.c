// SPDX-License-Identifier: Apache-2.0
// A program asks what pointers are, as many do, and is refused for wrong arguments.

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

static void refused(hipError_t error) {
    if (error == hipSuccess) exit(1);
    (void)hipGetLastError();
}

int main(void) {
    hipPointerAttribute_t attributes;
    int variable = 0;
    void *block = NULL;
    hipStream_t stream = NULL;
    (void)hipPointerGetAttributes(&attributes, &variable);
    must(hipMalloc(&block, 4096));
    must(hipMemset(block, 1, 4096));
    must(hipPointerGetAttributes(&attributes, (char *)block + 16));
    must(hipStreamCreate(&stream));
    must(hipStreamQuery(stream));
    refused(hipMemcpy(NULL, block, 64, hipMemcpyDeviceToHost));
    refused(hipMemset(NULL, 0, 64));
    refused(hipMemcpy(&variable, block, 4, (hipMemcpyKind)77));
    refused(hipSetDevice(-1));
    must(hipFree(NULL));
    must(hipStreamDestroy(stream));
    must(hipFree(block));
    (void)hipPointerGetAttributes(&attributes, block); // asks, and touches nothing
    (void)hipGetLastError();
    return 0;
}
