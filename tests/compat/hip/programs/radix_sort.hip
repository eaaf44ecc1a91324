// SPDX-License-Identifier: Apache-2.0
// Sorts 16-bit keys of one block, one bit at a time, with a scan in shared memory.
#include "check.h"

#include <algorithm>

constexpr int n = 256;

__device__ int scan(int value, int *work, int &total) {
    work[threadIdx.x] = value;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        int left = threadIdx.x >= unsigned(offset) ? work[threadIdx.x - offset] : 0;
        __syncthreads();
        work[threadIdx.x] += left;
        __syncthreads();
    }
    total = work[n - 1];
    int before = work[threadIdx.x] - value;
    __syncthreads();
    return before;
}

__global__ void sort(unsigned short *keys) {
    __shared__ int work[n];
    __shared__ unsigned short sorted[n];
    unsigned short key = keys[threadIdx.x];
    for (int bit = 0; bit < 16; bit++) {
        int is_one = key >> bit & 1, zeros, before = scan(!is_one, work, zeros);
        sorted[is_one ? zeros + (int)threadIdx.x - before : before] = key;
        __syncthreads();
        key = sorted[threadIdx.x];
        __syncthreads();
    }
    keys[threadIdx.x] = key;
}

int main() {
    std::vector<unsigned short> keys(n);
    numbers random;
    for (unsigned short &k : keys) k = random() >> 16;
    device_array<unsigned short> dkeys(keys);
    sort<<<1, n>>>(dkeys.get());
    std::sort(keys.begin(), keys.end());
    EXPECT(dkeys.download() == keys);
}
