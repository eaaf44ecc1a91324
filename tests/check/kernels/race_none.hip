// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads access the same bytes in order: no race is reported.
// OPTIONS: --kernel-races
// RUN: races
// EXPECT: SUMMARY: 0 error(s), 0 warning(s)
// EXIT: 0
#include <hip/hip_cooperative_groups.h>

#include "../../compat/hip/programs/check.h"

enum { THREADS = 128, BLOCKS = 4, ALL = THREADS * BLOCKS };

__device__ unsigned finished;

// A barrier, and shared memory that each block uses again.
__global__ void reverse(int *values) {
    __shared__ int copy[THREADS];
    extern __shared__ int doubled[];
    int *own = values + blockIdx.x * THREADS;
    copy[threadIdx.x] = own[threadIdx.x];
    doubled[threadIdx.x] = 2 * copy[threadIdx.x];
    __syncthreads();
    own[threadIdx.x] = copy[THREADS - 1 - threadIdx.x] + doubled[(threadIdx.x + 1) % THREADS];
}

// Neighbouring bytes, and bytes that another kernel wrote.
__global__ void bytes(unsigned char *to, const int *from) {
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    to[index] = (unsigned char)from[ALL - 1 - index];
}

__global__ void histogram(unsigned *bins, const unsigned char *from) {
    __shared__ unsigned own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&own[from[blockIdx.x * blockDim.x + threadIdx.x] % 8], 1u);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Lanes exchange values; then lanes read what others wrote, behind a meeting of the warp.
__global__ void exchange(int *values) {
    __shared__ int copy[THREADS];
    int sum = values[threadIdx.x];
    for (int i = warpSize / 2; i > 0; i /= 2) sum += __shfl_down(sum, i);
    copy[threadIdx.x] = sum;
    __syncwarp();
    values[threadIdx.x] = copy[threadIdx.x ^ 1];
}

// The last block adds what the others wrote, behind fences.
__global__ void sum_blocks(const int *values, int *sums, int *total) {
    __shared__ bool is_last;
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, values[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    if (threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x; i++) *total += sums[i];
}

// A volatile flag, as in programs that were written before there were atomic loads.
__global__ void pass_flag(volatile int *flag) {
    if (blockIdx.x == 0)
        *flag = 1;
    else if (*flag != 0)
        *flag = 2;
}

__global__ void shift(int *from, int *to) {
    unsigned count = gridDim.x * blockDim.x;
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 3; i++) {
        to[index] = from[(index + 1) % count];
        cooperative_groups::this_grid().sync();
        from[index] = to[index];
        cooperative_groups::this_grid().sync();
    }
}

// Values on the stack of a thread, which the next thread uses again.
__device__ void fill(int *list, int value) {
    for (int i = 0; i < 16; i++) list[i] = value;
}

__global__ void use_stack(int *values) {
    int list[16];
    fill(list, (int)threadIdx.x);
    __syncthreads();
    values[blockIdx.x * blockDim.x + threadIdx.x] = list[threadIdx.x % 16];
}

int main() {
    device_array<int> values(std::vector<int>(ALL, 1)), other(ALL), sums(BLOCKS), total(1), flag(1);
    device_array<unsigned char> small(ALL);
    device_array<unsigned> bins(8);
    bins.clear(), total.clear(), flag.clear();
    reverse<<<BLOCKS, THREADS, THREADS * sizeof(int)>>>(values.get());
    bytes<<<BLOCKS, THREADS>>>(small.get(), values.get());
    histogram<<<BLOCKS, THREADS>>>(bins.get(), small.get());
    exchange<<<1, THREADS>>>(values.get());
    sum_blocks<<<BLOCKS, THREADS>>>(values.get(), sums.get(), total.get());
    pass_flag<<<BLOCKS, 1>>>(flag.get());
    use_stack<<<BLOCKS, THREADS>>>(values.get());
    int *first = values.get(), *second = other.get();
    void *arguments[] = {&first, &second};
    HIP_CHECK(hipLaunchCooperativeKernel((void *)shift, 2, THREADS, arguments, 0, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
}
