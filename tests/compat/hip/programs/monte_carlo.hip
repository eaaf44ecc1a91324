// SPDX-License-Identifier: Apache-2.0
// An estimate of pi: each thread has a generator of its own, and votes count the hits of a warp.
#include "check.h"

__device__ unsigned next(unsigned &state) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

__global__ void throw_darts(unsigned *hits, int each) {
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1, own = 0;
    for (int i = 0; i < each; i++) {
        float x = (next(state) >> 8) / 16777216.0f, y = (next(state) >> 8) / 16777216.0f;
        unsigned long long hit = __ballot(x * x + y * y < 1);
        if (threadIdx.x % warpSize == 0) own += __popcll(hit);
    }
    if (threadIdx.x % warpSize == 0) atomicAdd(hits, own);
}

int main() {
    const int blocks = 4, threads = 128, each = 64;
    device_array<unsigned> hits(1);
    hits.clear();
    throw_darts<<<blocks, threads>>>(hits.get(), each);
    double pi = 4.0 * hits.download()[0] / (blocks * threads * each);
    EXPECT(fabs(pi - 3.14159) < 0.05);
}
