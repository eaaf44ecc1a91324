// SPDX-License-Identifier: Apache-2.0
// A module of its own: `tarn nvcc` makes it, and driver_module.cu loads it.
extern "C" __global__ void twice(int *numbers, int count) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) numbers[i] *= 2;
}

__device__ int offset = 4;
