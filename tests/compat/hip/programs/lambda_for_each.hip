// SPDX-License-Identifier: Apache-2.0
// A loop over indices that takes a lambda, as portability layers have it.
#include "check.h"

template <typename Body> __global__ void run_body(int n, Body body) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) body(i);
}

template <typename Body> void for_each(int n, const Body &body) {
    run_body<<<4, 64>>>(n, body);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipDeviceSynchronize());
}

struct mesh {
    int *cells;
    int width, height;
    __host__ __device__ int &at(int x, int y) const { return cells[y * width + x]; }
};

int main() {
    const int width = 37, height = 21;
    device_array<int> cells(width * height), total(1);
    const mesh m{cells.get(), width, height};
    total.clear();
    for_each(
        width * height, [=] __device__(int i) { m.at(i % width, i / width) = i % 7; });
    for_each(height, [=] __device__(int y) {
        for (int x = 1; x < m.width; x++) m.at(x, y) += m.at(x - 1, y);
    });
    int *const sum = total.get();
    for_each(height, [=] __device__(int y) { atomicAdd(sum, m.at(m.width - 1, y)); });
    int wanted = 0;
    for (int i = 0; i < width * height; i++) wanted += i % 7;
    EXPECT(total.download()[0] == wanted);
}
