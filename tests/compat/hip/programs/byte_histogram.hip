// SPDX-License-Identifier: Apache-2.0
// A histogram of bytes with a private table for each block, added up by atomics.
#include "check.h"

__global__ void count(const unsigned char *in, unsigned *bins, int n) {
    __shared__ unsigned own[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        if (own[i] != 0) atomicAdd(bins + i, own[i]);
}

int main() {
    const int n = 5000;
    std::vector<unsigned char> host(n);
    std::vector<unsigned> wanted(256);
    numbers random;
    for (unsigned char &x : host) x = random() >> 24 & random() >> 20, wanted[x]++;
    device_array<unsigned char> in(host);
    device_array<unsigned> bins(256);
    bins.clear();
    count<<<3, 96>>>(in.get(), bins.get(), n);
    EXPECT(bins.download() == wanted);
}
