// SPDX-License-Identifier: Apache-2.0
// Copies with hints for the caches, which change nothing but the speed of a GPU.
#include "check.h"

#ifdef __CUDACC__
#define STORE(address, value) __stcs(address, value)
#else
#define STORE(address, value) __builtin_nontemporal_store(value, address)
#endif

template <typename T> __global__ void triad(const T *a, const T *b, T *c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        STORE(c + i, static_cast<T>(a[i] + 3 * b[i]));
}

__global__ void read_only(const float4 *__restrict__ in, float4 *__restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = __ldg(&in[i]);
}

int main() {
    const int n = 1000;
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; i++) a[i] = i, b[i] = i * 0.5f;
    device_array<float> da(a), db(b), dc(n);
    triad<<<3, 64>>>(da.get(), db.get(), dc.get(), n);
    for (int i = 0; i < n; i++) EXPECT(dc.download()[i] == 2.5f * i);
    read_only<<<4, 64>>>(reinterpret_cast<const float4 *>(da.get()),
                         reinterpret_cast<float4 *>(dc.get()), n / 4);
    const std::vector<float> got = dc.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == a[(n / 4 - 1 - i / 4) * 4 + i % 4]);
}
