// SPDX-License-Identifier: Apache-2.0
// A kernel and a copy on two streams write to one block without order, in both orders.
// EXPECT: WARN overlapping-writers: complete block of 4096 byte(s) at 0x... written by hipMemsetAsync on stream 0x..., used as an argument by hipExtLaunchHostKernel on stream 0x... without order
// EXPECT:   access by thread ...
// EXPECT:     ... hipMemsetAsync ...
// EXPECT:   earlier access by thread ...
// EXPECT:     ... hipExtLaunchHostKernel ...
// EXPECT: WARN overlapping-writers: complete block of 4096 byte(s) at 0x... used as an argument by hipExtLaunchHostKernel on stream 0x..., written by hipMemsetAsync on stream 0x... without order
// EXIT: 0

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

struct closure {
    int *values;
    size_t count;
};

static hipError_t add_one(const void *bytes, const hipExtHostBlock *block, const char **why) {
    const struct closure *closure = bytes;
    (void)block, (void)why;
    for (size_t i = 0; i < closure->count; i++) closure->values[i]++;
    return hipSuccess;
}

static void launch(int *values, size_t count, hipStream_t stream) {
    const struct closure closure = {values, count};
    const dim3 one = {1, 1, 1};
    must(hipExtLaunchHostKernel(add_one, one, one, 0, stream, &closure, sizeof closure));
}

int main(void) {
    enum { COUNT = 1024 };
    hipStream_t one = NULL;
    hipStream_t other = NULL;
    int *values = NULL;
    must(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    must(hipMalloc((void **)&values, COUNT * sizeof *values));

    launch(values, COUNT, one);
    must(hipMemsetAsync(values, 0, COUNT * sizeof *values, other));
    must(hipDeviceSynchronize());
    must(hipMemsetAsync(values, 0, COUNT * sizeof *values, other));
    launch(values, COUNT, one);
    must(hipDeviceSynchronize());
    must(hipFree(values));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(other));
    return 0;
}
