// SPDX-License-Identifier: Apache-2.0
// One function sums for groups of every kind, which it takes by value.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *room, int value) {
    const int lane = group.thread_rank();
    for (int n = group.size() / 2; n > 0; n /= 2) {
        room[lane] = value;
        group.sync();
        if (lane < n) value += room[lane + n];
        group.sync();
    }
    return value;
}

__global__ void sum_all(int *sums) {
    HIP_DYNAMIC_SHARED(int, room)
    const cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank(), value = rank + 1;
    const int of_block = sum_of(block, room, value);
    cg::sync(block);
    const auto tile = cg::tiled_partition<16>(block);
    const int of_tile = sum_of(tile, room + rank / 16 * 16, value);
    if (rank == 0) sums[0] = of_block;
    if (tile.thread_rank() == 0) sums[1 + tile.meta_group_rank()] = of_tile;
}

int main() {
    device_array<int> sums(9);
    sum_all<<<1, 128, 128 * sizeof(int)>>>(sums.get());
    const std::vector<int> got = sums.download();
    EXPECT(got[0] == 128 * 129 / 2);
    for (int i = 0; i < 8; i++) EXPECT(got[1 + i] == 16 * 16 * i + 136);
}
