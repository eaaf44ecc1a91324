// SPDX-License-Identifier: Apache-2.0
// Adds two vectors, each element by a thread of its own.
#include "check.h"

__global__ void add(const float *a, const float *b, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main() {
    const int n = 100000;
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; i++) a[i] = 0.5f * i, b[i] = 2.0f * i;
    device_array<float> da(a), db(b), sum(n);
    add<<<(n + 255) / 256, 256>>>(da.get(), db.get(), sum.get(), n);
    HIP_CHECK(hipGetLastError());
    std::vector<float> got = sum.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == 2.5f * i);
}
