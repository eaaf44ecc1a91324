// SPDX-License-Identifier: Apache-2.0
// A block reverses its elements in shared memory, without a barrier between the stores and the loads.
// OPTIONS: --kernel-races -O2
// RUN: races
// EXPECT: ERROR kernel-race: .* of block (0, 0, 0), in shared memory of kernel reverse, is unordered with the .* of block (0, 0, 0)
// EXPECT: reverse(int\*) .*race_barrier.hip:17
// EXPECT: reverse(int\*) .*race_barrier.hip:18
// EXPECT: SUMMARY: [12] error(s), 0 warning(s)
#include "../../compat/hip/programs/check.h"

enum { THREADS = 128 };

__global__ void reverse(int *values) {
    __shared__ int copy[THREADS];
    // __syncthreads() stands on the wrong side.
    __syncthreads();
    copy[threadIdx.x] = values[threadIdx.x];
    values[threadIdx.x] = copy[THREADS - 1 - threadIdx.x];
}

int main() {
    device_array<int> values(std::vector<int>(THREADS, 1));
    reverse<<<1, THREADS>>>(values.get());
    HIP_CHECK(hipDeviceSynchronize());
}
