// SPDX-License-Identifier: Apache-2.0
// A memset on another stream has no order with a copy from the same memory.
// EXPECT: ERROR copy-race: write of 1048576 byte(s) at 0x... is unordered with the read by ...

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

    hipStream_t one, two;
    void *from = NULL, *to = NULL;
    must(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    must(hipMalloc(&from, 1 << 20));
    must(hipMalloc(&to, 1 << 20));
    must(hipMemset(from, 0, 1 << 20));
    must(hipDeviceSynchronize());
    must(hipMemcpyAsync(to, from, 1 << 20, hipMemcpyDeviceToDevice, one));
    must(hipMemsetAsync(from, 1, 1 << 20, two));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(two));
    must(hipFree(from));
    must(hipFree(to));
    return 0;
}
