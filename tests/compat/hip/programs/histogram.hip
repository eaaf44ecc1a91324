// SPDX-License-Identifier: Apache-2.0
// Counts bytes: atomics in shared memory for each block, then atomics in global memory.
#include "check.h"

__global__ void count(const unsigned char *bytes, unsigned *bins, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&own[bytes[i]], 1u);
    __syncthreads();
    if (own[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
    const int n = 60000;
    std::vector<unsigned char> bytes(n);
    std::vector<unsigned> wanted(256);
    numbers random;
    for (unsigned char &b : bytes) b = (random() >> 16) & (random() >> 16), wanted[b]++;
    device_array<unsigned char> dbytes(bytes);
    device_array<unsigned> bins(256);
    bins.clear();
    count<<<6, 256>>>(dbytes.get(), bins.get(), n);
    EXPECT(bins.download() == wanted);
}
