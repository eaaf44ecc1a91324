// SPDX-License-Identifier: Apache-2.0
// Keeps some numbers, with one atomic for each warp: votes, and the lanes below the own one.
#include "check.h"

__global__ void keep(const int *in, int *out, int *count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool is_kept = i < n && in[i] % 3 == 0;
    const unsigned long long votes = __ballot(is_kept);
    const int lane = threadIdx.x % warpSize;
    int place = 0;
    if (lane == 0) place = atomicAdd(count, __popcll(votes));
    place = __shfl(place, 0) + __popcll(votes & ((1ull << lane) - 1));
    if (is_kept) out[place] = in[i];
}

int main() {
    const int n = 700;
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i;
    device_array<int> in(host), out(n), count(1);
    count.clear(), out.clear();
    keep<<<6, 128>>>(in.get(), out.get(), count.get(), n);
    std::vector<int> got = out.download();
    EXPECT(count.download()[0] == (n + 2) / 3);
    std::vector<bool> seen(n);
    for (int i = 0; i < (n + 2) / 3; i++) {
        EXPECT(got[i] % 3 == 0 && !seen[got[i]]);
        seen[got[i]] = true;
    }
}
