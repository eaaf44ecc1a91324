// SPDX-License-Identifier: Apache-2.0
// Streams that wait for values, which others write: the order is not in the calls.

#include <stdint.h>
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
    const size_t size = 1 << 20;
    hipStream_t one, two;
    char *from = NULL;
    char *to = NULL;
    uint32_t *words = NULL;
    must(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    must(hipMalloc((void **)&from, size));
    must(hipMalloc((void **)&to, size));
    must(hipMalloc((void **)&words, 64));
    must(hipMemset(words, 0, 64));
    must(hipMemset(from, 0, size));
    must(hipDeviceSynchronize());
    for (uint32_t i = 1; i < 4; i++) { // one fills what two then copies, in turns
        must(hipStreamWaitValue32(two, &words[0], i, hipStreamWaitValueGte, UINT32_MAX));
        must(hipMemcpyAsync(to, from, size, hipMemcpyDeviceToDevice, two));
        must(hipStreamWriteValue32(two, &words[1], i, 0));
        must(hipMemsetAsync(from, (int)i, size, one));
        must(hipStreamWriteValue32(one, &words[0], i, 0));
        must(hipStreamWaitValue32(one, &words[1], i, hipStreamWaitValueGte, UINT32_MAX));
    }
    must(hipStreamSynchronize(one));
    must(hipStreamSynchronize(two));
    must(hipFree(from));
    must(hipFree(to));
    must(hipFree(words));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(two));
    return 0;
}
