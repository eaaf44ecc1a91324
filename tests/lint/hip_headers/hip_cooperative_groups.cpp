// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

template <unsigned N, typename Parent>
__device__ int sum(const cg::thread_block_tile<N, Parent> &tile, int value) {
    for (unsigned step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
    return cg::reduce(tile, value, cg::plus<int>());
}

__global__ void use(int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    auto small = cg::tiled_partition<4>(tile);
    const auto dynamic = cg::tiled_partition(block, 8);
    const cg::thread_group any = dynamic;
    cg::coalesced_group here = cg::coalesced_threads();
    cg::sync(block);
    out[cg::thread_rank(block)] =
        sum(tile, 1) + sum(small, 2) + static_cast<int>(dynamic.ballot(1));
    out[0] += here.any(1) + static_cast<int>(cg::group_size(here));
    out[1] = cg::exclusive_scan(tile, static_cast<int>(any.size()));
    if (grid.is_valid()) grid.sync();
}

int main() {
    hipLaunchKernelGGL(use, 1, 64, 0, nullptr, static_cast<int *>(nullptr));
    return 0;
}
