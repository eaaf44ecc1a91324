// SPDX-License-Identifier: Apache-2.0
// Kernels that take function objects: one of the program, and a lambda. nvcc needs --extended-lambda.
#include "check.h"

struct add_constant {
    int what;
    __host__ __device__ int operator()(int x) const { return x + what; }
};

template <typename T, typename Function> __global__ void transform(T *p, int n, Function function) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = function(p[i]);
}

int main() {
    const int n = 500;
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i;
    device_array<int> data(host);
    const int by = 3;
    transform<<<(n + 63) / 64, 64>>>(data.get(), n, add_constant{10});
    transform<int><<<(n + 63) / 64, 64>>>(data.get(), n, [=] __device__(int x) { return x * by; });
    std::vector<int> got = data.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == (i + 10) * 3);
}
