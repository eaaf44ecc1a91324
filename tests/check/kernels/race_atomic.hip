// SPDX-License-Identifier: Apache-2.0
// Blocks count by an atomic, and a thread of the last one reads the counter plainly.
// OPTIONS: --kernel-races
// RUN: races
// EXPECT: ERROR kernel-race: read of 4 byte(s) at 0x[0-9a-f]* by thread (1, 0, 0) of block (3, 0, 0), in kernel count, is unordered with the atomic write by thread (0, 0, 0) of block ([0-3], 0, 0)
// EXPECT: count(unsigned int\*, unsigned int\*) .*race_atomic.hip:13
// EXPECT: count(unsigned int\*, unsigned int\*) .*race_atomic.hip:12
// EXPECT: SUMMARY: 1 error(s), 0 warning(s)
#include "../../compat/hip/programs/check.h"

__global__ void count(unsigned *counter, unsigned *seen) {
    if (threadIdx.x == 0) atomicAdd(counter, 1u);
    if (threadIdx.x == 1 && blockIdx.x == gridDim.x - 1) *seen = *counter;
}

int main() {
    device_array<unsigned> counter(1), seen(1);
    counter.clear();
    count<<<4, 2>>>(counter.get(), seen.get());
    HIP_CHECK(hipDeviceSynchronize());
}
