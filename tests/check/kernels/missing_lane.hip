// SPDX-License-Identifier: Apache-2.0
// A shuffle names all lanes, and half of them have returned.
// EXPECT: kernel neighbours, .* at missing_lane.hip:8
#include "../../compat/hip/programs/check.h"

__global__ void neighbours(int *p) {
    if (threadIdx.x >= 32) return;
    p[threadIdx.x] = __shfl_down_sync(~0ull, p[threadIdx.x], 1);
}

int main() {
    device_array<int> data(std::vector<int>(64, 1));
    neighbours<<<1, 64>>>(data.get());
    (void)data.download();
}
