// SPDX-License-Identifier: Apache-2.0
// Sorts: steps within a block in shared memory, wider ones in launches of their own.
#include "check.h"

#include <algorithm>

constexpr int threads = 128, block_items = 2 * threads;

__device__ void exchange(unsigned &a, unsigned &b, bool up) {
    if ((a > b) != up) return;
    unsigned t = a;
    a = b;
    b = t;
}

__global__ void sort_blocks(unsigned *items) {
    __shared__ unsigned part[block_items];
    unsigned *own = items + blockIdx.x * block_items;
    part[threadIdx.x] = own[threadIdx.x];
    part[threadIdx.x + threads] = own[threadIdx.x + threads];
    for (int size = 2; size <= block_items; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            bool up = ((blockIdx.x * block_items + at) & size) == 0;
            exchange(part[at], part[at + stride], up);
        }
    __syncthreads();
    own[threadIdx.x] = part[threadIdx.x];
    own[threadIdx.x + threads] = part[threadIdx.x + threads];
}

__global__ void merge_step(unsigned *items, int size, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = 2 * i - (i & (stride - 1));
    exchange(items[at], items[at + stride], (at & size) == 0);
}

int main() {
    const int n = 2048;
    std::vector<unsigned> items(n);
    numbers random;
    for (unsigned &x : items) x = random();
    device_array<unsigned> ditems(items);
    sort_blocks<<<n / block_items, threads>>>(ditems.get());
    for (int size = 2 * block_items; size <= n; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2)
            merge_step<<<n / block_items, threads>>>(ditems.get(), size, stride);
    std::sort(items.begin(), items.end());
    EXPECT(ditems.download() == items);
}
