// SPDX-License-Identifier: Apache-2.0
// A memset on another stream has no order with a copy from the same memory, although a third stream
// waits for a value.
// EXPECT: ERROR copy-race: write of 1048576 byte(s) at 0x... is unordered with the read by ...

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
    hipStream_t one, two, three;
    void *from = NULL, *to = NULL, *word = NULL;
    must(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&three, hipStreamNonBlocking));
    must(hipMalloc(&from, 1 << 20));
    must(hipMalloc(&to, 1 << 20));
    must(hipMalloc(&word, 64));
    must(hipMemset(from, 0, 1 << 20));
    must(hipMemset(word, 0, 64));
    must(hipDeviceSynchronize());
    must(hipStreamWaitValue32(three, word, 1, hipStreamWaitValueGte, UINT32_MAX));
    must(hipMemcpyAsync(to, from, 1 << 20, hipMemcpyDeviceToDevice, one));
    must(hipMemsetAsync(from, 1, 1 << 20, two));
    must(hipStreamWriteValue32(two, word, 1, 0));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(two));
    must(hipStreamDestroy(three));
    must(hipFree(from));
    must(hipFree(to));
    must(hipFree(word));
    return 0;
}
