// SPDX-License-Identifier: Apache-2.0
// A barrier in a branch that half of the block takes.
// RUN: check
// EXPECT: kernel reverse, block (0, 0, 0), thread (.*) waits in __syncthreads() at missed_barrier.hip:10
#include "../../compat/hip/programs/check.h"

__global__ void reverse(int *p) {
    __shared__ int part[64];
    if (threadIdx.x < 32) {
        __syncthreads();
        part[threadIdx.x] = p[threadIdx.x];
    } else {
        part[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
    }
    p[threadIdx.x] = part[63 - threadIdx.x];
}

int main() {
    device_array<int> data(std::vector<int>(64, 1));
    reverse<<<1, 64>>>(data.get());
    (void)data.download();
}
