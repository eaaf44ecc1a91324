// SPDX-License-Identifier: Apache-2.0
// Kernels in a table, behind macros, overloaded, and with default arguments.
#include "check.h"

#define LAUNCH(kernel, n, ...)     kernel<<<((n) + 31) / 32, 32>>>(__VA_ARGS__)
#define CONFIGURATION(grid, block) <<<grid, block>>>
#define DEFINE_KERNEL(name, op)                                                                    \
    __global__ void name##_kernel(int *p, int by, int n) {                                         \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        if (i < n) p[i] = p[i] op by;                                                              \
    }

DEFINE_KERNEL(add, +)
DEFINE_KERNEL(multiply, *)
DEFINE_KERNEL(shift, <<)

template <int By = 7, typename T> __global__ void subtract(T *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] -= By;
}

__global__ void increase(int *p, int n, int by = 2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}

__global__ void set(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i;
}

__global__ void set(int *p, int n, int what) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += what;
}

int main() {
    const int n = 100;
    device_array<int> data(n);
    void (*const table[])(int *, int, int) = {add_kernel, multiply_kernel, shift_kernel};
    set<<<4, 32>>>(data.get(), n);
    set<<<4, 32>>>(data.get(), n, 5);
    for (auto kernel : table) kernel<<<4, 32>>>(data.get(), 2, n);
    table[0]<<<4, 32>>>(data.get(), 1, n);
    LAUNCH(subtract, n, data.get(), n);
    LAUNCH(subtract<3>, n, data.get(), n);
    increase<<<4, 32>>>(data.get(), n);
    increase CONFIGURATION(4, 32)(data.get(), n, 4);
    std::vector<int> got = data.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == ((((i + 5) + 2) * 2) << 2) + 1 - 7 - 3 + 2 + 4);
}
