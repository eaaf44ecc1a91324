// SPDX-License-Identifier: Apache-2.0
// Keeps the positive numbers: a ballot gives each lane its place in its warp, one atomic the warp
// its place.
#include "check.h"

#include <algorithm>

__global__ void compact(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    bool keep = i < n && in[i] > 0;
    unsigned long long mask = __ballot(keep);
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popcll(mask));
    base = __shfl(base, 0);
    if (keep) out[base + __popcll(mask & ((1ull << lane) - 1))] = in[i];
}

int main() {
    const int n = 5000;
    std::vector<int> in(n), wanted;
    numbers random;
    for (int &x : in) {
        x = int(random() >> 8) % 1000 - 500;
        if (x > 0) wanted.push_back(x);
    }
    device_array<int> din(in), dout(n), count(1);
    count.clear();
    compact<<<(n + 191) / 192, 192>>>(din.get(), dout.get(), count.get(), n);
    std::vector<int> got(count.download()[0]);
    HIP_CHECK(hipMemcpy(got.data(), dout.get(), got.size() * sizeof(int), hipMemcpyDeviceToHost));
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT(got == wanted);
}
