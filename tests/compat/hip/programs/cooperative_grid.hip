// SPDX-License-Identifier: Apache-2.0
// All blocks of a grid meet twice: a sum in one launch, by cooperative groups, tiles and a barrier
// of the grid.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void normalise(float *p, float *sums, int n) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    float own = 0;
    for (unsigned i = grid.thread_rank(); i < unsigned(n); i += grid.size()) own += p[i];
    for (int offset = 8; offset > 0; offset /= 2) own += tile.shfl_down(own, offset);
    if (tile.thread_rank() == 0) atomicAdd(&sums[blockIdx.x], own);
    grid.sync();
    if (grid.thread_rank() == 0)
        for (unsigned b = 1; b < gridDim.x; b++) sums[0] += sums[b];
    grid.sync();
    for (unsigned i = grid.thread_rank(); i < unsigned(n); i += grid.size()) p[i] /= sums[0];
}

int main() {
    int n = 1024, blocks = 2, supported = 0;
    HIP_CHECK(hipDeviceGetAttribute(&supported, hipDeviceAttributeCooperativeLaunch, 0));
    EXPECT(supported == 1);
    device_array<float> data(std::vector<float>(n, 2)), sums(blocks);
    sums.clear();
    float *p = data.get(), *s = sums.get();
    void *arguments[] = {&p, &s, &n};
    HIP_CHECK(hipLaunchCooperativeKernel((const void *)normalise, dim3(blocks), dim3(64), arguments,
                                         0, nullptr));
    for (float got : data.download()) EXPECT(got == 2.0f / 2048);
}
