// SPDX-License-Identifier: Apache-2.0
// Macros in the heads of kernels and around launches, as portable sources have them.
#include "check.h"

#define BLOCK                64
#define KERNEL(name)         __global__ void __launch_bounds__(BLOCK) name
#define GLOBAL_INDEX         (blockIdx.x * blockDim.x + threadIdx.x)
#define LAUNCH(name, n, ...) name<<<((n) + BLOCK - 1) / BLOCK, BLOCK>>>(__VA_ARGS__)
#define BOUNDS(threads, blocks)

KERNEL(fill)(int *out, int value, int n) {
    if (GLOBAL_INDEX < n) out[GLOBAL_INDEX] = value;
}

template <typename T> __global__ void BOUNDS(BLOCK, 1) scale(T *out, T by, int n) {
    const int i = GLOBAL_INDEX;
    if (i < n) out[i] *= by;
}

int main() {
    const int n = 150;
    device_array<int> out(n);
    LAUNCH(fill, n, out.get(), 7, n);
    LAUNCH(scale<int>, n, out.get(), 6, n);
    for (int x : out.download()) EXPECT(x == 42);
}
