// SPDX-License-Identifier: Apache-2.0
// The last warp of a block is smaller: votes, ballots and shuffles ask its own lanes only.
#include "check.h"

__global__ void look_around(int *lanes, int *neighbours) {
    const int lane = threadIdx.x % warpSize;
    lanes[threadIdx.x] = __popcll(__ballot(1));
    if (!__all(threadIdx.x < blockDim.x) || __any(threadIdx.x > 1000)) lanes[threadIdx.x] = -1;
    neighbours[threadIdx.x] = __shfl_xor(lane, 1);
}

__global__ void sum_columns(const int *p, int *sums) {
    int sum = p[threadIdx.y * blockDim.x + threadIdx.x];
    for (int mask = blockDim.x / 2; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask, blockDim.x);
    if (threadIdx.x == 0) sums[threadIdx.y] = sum;
}

int main() {
    const int n = 100;
    int warp;
    HIP_CHECK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, 0));
    device_array<int> lanes(n), neighbours(n), sums(9);
    look_around<<<1, n>>>(lanes.get(), neighbours.get());
    std::vector<int> counts = lanes.download(), others = neighbours.download();
    for (int i = 0; i < n; i++) {
        EXPECT(counts[i] == (i / warp == n / warp ? n % warp : warp));
        EXPECT(others[i] == (i % warp ^ 1));
    }
    std::vector<int> host(9 * 16);
    for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<int>(i);
    device_array<int> data(host);
    sum_columns<<<1, dim3(16, 9)>>>(data.get(), sums.get());
    std::vector<int> got = sums.download();
    for (int row = 0; row < 9; row++) EXPECT(got[row] == 16 * 16 * row + 120);
}
