// SPDX-License-Identifier: Apache-2.0
// Lets the library choose the block size, and covers an array with it.
#include "check.h"

__global__ void negate(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = -p[i];
}

int main() {
    const int n = 12345;
    int grid = 0, block = 0, resident = 0;
    HIP_CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, negate, 0, 0));
    hipDeviceProp_t prop;
    HIP_CHECK(hipGetDeviceProperties(&prop, 0));
    EXPECT(grid >= 1 && block >= 1 && block <= prop.maxThreadsPerBlock);
    HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&resident, negate, block, 0));
    EXPECT(resident >= 1);
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i;
    device_array<int> data(host);
    negate<<<(n + block - 1) / block, block>>>(data.get(), n);
    HIP_CHECK(hipGetLastError());
    std::vector<int> got = data.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == -i);
}
