// SPDX-License-Identifier: Apache-2.0
// A module of its own: `tarn hipcc --genco` makes it, and module_launch.hip loads it.
#include <hip/hip_runtime.h>

__device__ int offset = 5;

extern "C" __global__ void add_offset(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += offset;
}

template <typename T> __global__ void scale(T *p, T by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= by;
}
template __global__ void scale<int>(int *, int, int);

__global__ void reverse(int *p) {
    extern __shared__ int part[];
    part[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
