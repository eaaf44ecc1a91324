// SPDX-License-Identifier: Apache-2.0
// Kernels fail in six ways, and the program asks for no error. Each failed launch is one finding, however many of its
// blocks fail.
// RUN: check
// EXIT: 77
// EXPECT: ERROR kernel-failure: kernel stray, block (.*: an access of address 0x87654320, .* at failures.hip:18
// EXPECT: ERROR kernel-failure: kernel past, .*, which it must not access, at failures.hip:19
// EXPECT: ERROR kernel-failure: kernel missed, block (.* waits in __syncthreads() at failures.hip:21
// EXPECT: ERROR kernel-failure: kernel unmasked, block (.* lane 16 is not in the mask 0xffff of __syncwarp() at failures.hip:25
// EXPECT: ERROR kernel-failure: kernel divide, block (.*: a division of an integer by zero.* at failures.hip:27
// EXPECT: ERROR kernel-failure: kernel claim, block (.*: a failed assertion
// EXPECT: SUMMARY: 6 error(s), 0 warning(s)
#include "../../compat/hip/programs/check.h"

#include <cassert>

__device__ int out;
__global__ void stray() { *reinterpret_cast<volatile int *>(0x87654320) = 42; }
__global__ void past(const int *p) { out = p[-(1l << 30)]; }
__global__ void missed() {
    if (threadIdx.x < 16) __syncthreads();
    out = threadIdx.x;
}
__global__ void unmasked() {
    if (threadIdx.x <= 16) __syncwarp(0xffff);
}
__global__ void divide(int n) { out = 7 / n; }
__global__ void claim(int n) { assert(n != 0); }

#define RUN(kernel, ...)                                                                           \
    do {                                                                                           \
        hipStream_t stream;                                                                        \
        HIP_CHECK(hipStreamCreate(&stream));                                                       \
        kernel<<<8, 32, 0, stream>>>(__VA_ARGS__);                                                 \
        (void)hipStreamSynchronize(stream);                                                        \
        HIP_CHECK(hipStreamDestroy(stream));                                                       \
    } while (0)

int main() {
    device_array<int> data(64);
    data.clear();
    RUN(stray);
    RUN(past, data.get());
    RUN(missed);
    RUN(unmasked);
    RUN(divide, 0);
    RUN(claim, 0);
}
