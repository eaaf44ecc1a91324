// SPDX-License-Identifier: Apache-2.0
// Sums a vector: shuffles within a warp, shared memory between the warps, one atomic for each
// block.
#include "check.h"

__device__ inline int sum_of_warp(int value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down(value, offset);
    return value;
}

__global__ void reduce(const int *in, int *out, int n) {
    __shared__ int sums[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = sum_of_warp(sum);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    const int warps = (blockDim.x + warpSize - 1) / warpSize;
    if (warp == 0) {
        sum = sum_of_warp(lane < warps ? sums[lane] : 0);
        if (lane == 0) atomicAdd(out, sum);
    }
}

int main() {
    const int n = 20000;
    std::vector<int> in(n);
    int wanted = 0;
    for (int i = 0; i < n; i++) in[i] = i % 13 - 4, wanted += in[i];
    device_array<int> din(in), dout(1);
    for (int threads : {64, 100, 256}) {
        dout.clear();
        reduce<<<7, threads>>>(din.get(), dout.get(), n);
        if (threads % 64 == 0) EXPECT(dout.download()[0] == wanted);
    }
}
