// SPDX-License-Identifier: Apache-2.0
// Keeps the positive numbers in their order: prefix sums within tiles, and one place for each block.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void count_positive(const int *in, int *counts, int n) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * 32 + threadIdx.x;
    const int mine = i < n && in[i] > 0;
    const int before = cg::exclusive_scan(tile, mine, cg::plus<int>());
    if (tile.thread_rank() == 31) counts[blockIdx.x] = before + mine;
}

__global__ void place(const int *in, const int *starts, int *out, int n) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * 32 + threadIdx.x;
    const int mine = i < n && in[i] > 0;
    const int rank = cg::inclusive_scan(tile, mine) - 1;
    if (mine) out[starts[blockIdx.x] + rank] = in[i];
}

int main() {
    const int n = 1000, blocks = (n + 31) / 32;
    std::vector<int> host(n), wanted;
    numbers random;
    for (int &x : host) x = static_cast<int>(random()) >> 16;
    for (int x : host)
        if (x > 0) wanted.push_back(x);
    device_array<int> in(host), counts(blocks), out(n);
    out.clear();
    count_positive<<<blocks, 32>>>(in.get(), counts.get(), n);
    std::vector<int> starts = counts.download();
    int sum = 0;
    for (int &s : starts) {
        const int count = s;
        s = sum;
        sum += count;
    }
    EXPECT(sum == static_cast<int>(wanted.size()));
    device_array<int> device_starts(starts);
    place<<<blocks, 32>>>(in.get(), device_starts.get(), out.get(), n);
    const std::vector<int> got = out.download();
    for (int i = 0; i < sum; i++) EXPECT(got[i] == wanted[i]);
}
