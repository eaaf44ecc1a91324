// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime.h>

__device__ unsigned place();

__global__ void number(unsigned *places) { places[place()] = threadIdx.x + 1; }

int main() {
    unsigned places[4 * 8] = {};
    hipLaunchKernelGGL(number, dim3(4), dim3(8), 0, nullptr, places);
    if (hipDeviceSynchronize() != hipSuccess) return 1;
    for (unsigned i = 0; i < 4 * 8; i++)
        if (places[i] != i % 8 + 1) return 1;
    return 0;
}
