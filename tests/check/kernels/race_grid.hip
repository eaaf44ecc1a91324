// SPDX-License-Identifier: Apache-2.0
// A cooperative kernel reads what other blocks wrote, with a barrier of the block in the place of one of the grid.
// OPTIONS: --kernel-races
// RUN: races
// EXPECT: ERROR kernel-race: .* of block ([01], 0, 0), in kernel shift, is unordered with the .* of block ([01], 0, 0)
// EXPECT: shift(int\*, int\*) .*race_grid.hip:13
// EXPECT: shift(int\*, int\*) .*race_grid.hip:15
#include "../../compat/hip/programs/check.h"

__global__ void shift(int *from, int *to) {
    unsigned count = gridDim.x * blockDim.x;
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    from[index] = (int)index;
    __syncthreads();
    to[index] = from[(index + 1) % count];
}

int main() {
    device_array<int> from(32), to(32);
    int *first = from.get(), *second = to.get();
    void *arguments[] = {&first, &second};
    HIP_CHECK(hipLaunchCooperativeKernel((void *)shift, 2, 16, arguments, 0, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
}
