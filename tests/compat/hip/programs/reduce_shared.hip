// SPDX-License-Identifier: Apache-2.0
// Sums a vector: a tree in dynamic shared memory for each block, then the sums of the blocks.
#include "check.h"

__global__ void reduce(const int *in, long long *out, int n) {
    extern __shared__ long long sums[];
    const unsigned thread = threadIdx.x;
    const int i = blockIdx.x * blockDim.x * 2 + thread;
    sums[thread] = (i < n ? in[i] : 0) + (i + (int)blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (thread < s) sums[thread] += sums[thread + s];
        __syncthreads();
    }
    if (thread == 0) out[blockIdx.x] = sums[0];
}

int main() {
    const int n = 50001, threads = 128, blocks = (n + threads * 2 - 1) / (threads * 2);
    std::vector<int> in(n);
    numbers random;
    long long wanted = 0;
    for (int &x : in) x = int(random() % 1000) - 500, wanted += x;
    device_array<int> din(in);
    device_array<long long> dout(blocks);
    reduce<<<blocks, threads, threads * sizeof(long long)>>>(din.get(), dout.get(), n);
    long long got = 0;
    for (long long x : dout.download()) got += x;
    EXPECT(got == wanted);
}
