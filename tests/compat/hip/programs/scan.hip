// SPDX-License-Identifier: Apache-2.0
// Prefix sums: each block scans its part up and down a tree, then the sums of the blocks are
// scanned and added.
#include "check.h"

constexpr int threads = 128;

__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums, int n) {
    __shared__ unsigned tree[2 * threads];
    const int thread = threadIdx.x, base = blockIdx.x * 2 * threads;
    for (int k = 0; k < 2; k++)
        tree[2 * thread + k] = base + 2 * thread + k < n ? in[base + 2 * thread + k] : 0;
    int offset = 1;
    for (int d = threads; d > 0; d >>= 1, offset *= 2) {
        __syncthreads();
        if (thread < d) tree[offset * (2 * thread + 2) - 1] += tree[offset * (2 * thread + 1) - 1];
    }
    if (thread == 0) {
        if (sums != nullptr) sums[blockIdx.x] = tree[2 * threads - 1];
        tree[2 * threads - 1] = 0;
    }
    for (int d = 1; d <= threads; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thread >= d) continue;
        int a = offset * (2 * thread + 1) - 1, b = offset * (2 * thread + 2) - 1;
        unsigned left = tree[a];
        tree[a] = tree[b];
        tree[b] += left;
    }
    __syncthreads();
    for (int k = 0; k < 2; k++)
        if (base + 2 * thread + k < n) out[base + 2 * thread + k] = tree[2 * thread + k];
}

__global__ void add_sums(unsigned *out, const unsigned *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

int main() {
    const int n = 20011, blocks = (n + 2 * threads - 1) / (2 * threads);
    std::vector<unsigned> in(n);
    numbers random;
    for (unsigned &x : in) x = random() % 100;
    device_array<unsigned> din(in), out(n), sums(blocks), starts(blocks);
    scan_blocks<<<blocks, threads>>>(din.get(), out.get(), sums.get(), n);
    scan_blocks<<<1, threads>>>(sums.get(), starts.get(), nullptr, blocks);
    add_sums<<<blocks, 2 * threads>>>(out.get(), starts.get(), n);
    unsigned sum = 0;
    std::vector<unsigned> got = out.download();
    for (int i = 0; i < n; sum += in[i++]) EXPECT(got[i] == sum);
}
