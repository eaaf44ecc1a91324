// SPDX-License-Identifier: Apache-2.0
// Splits tiles by a predicate and by labels, and reduces the parts.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void split(const int *in, int *evens, int *odds, int *most) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int value = in[blockIdx.x * 32 + threadIdx.x];
    const auto part = cg::binary_partition(tile, value % 2 != 0);
    const int sum = cg::reduce(part, value, cg::plus<int>());
    if (part.thread_rank() == 0) (value % 2 != 0 ? odds : evens)[blockIdx.x] = sum;
    const auto label = cg::labeled_partition(tile, value % 5);
    const int largest = cg::reduce(label, value, cg::greater<int>());
    cg::invoke_one(label, [=] { most[blockIdx.x * 5 + value % 5] = largest; });
}

int main() {
    const int blocks = 6;
    std::vector<int> host(blocks * 32);
    numbers random;
    for (int &x : host) x = static_cast<int>(random() >> 20);
    device_array<int> in(host), evens(blocks), odds(blocks), most(blocks * 5);
    evens.clear(), odds.clear(), most.clear();
    split<<<blocks, 32>>>(in.get(), evens.get(), odds.get(), most.get());
    const std::vector<int> e = evens.download(), o = odds.download(), m = most.download();
    for (int b = 0; b < blocks; b++) {
        int sums[2] = {}, largest[5] = {};
        for (int i = 0; i < 32; i++) {
            const int x = host[b * 32 + i];
            sums[x % 2] += x;
            largest[x % 5] = std::max(largest[x % 5], x);
        }
        EXPECT(e[b] == sums[0] && o[b] == sums[1]);
        for (int k = 0; k < 5; k++) EXPECT(m[b * 5 + k] == largest[k]);
    }
}
