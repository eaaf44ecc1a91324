// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory of two types in one file, of a template, divided into two arrays, and with two names.
#include "check.h"

__global__ void reverse(int *p) {
    extern __shared__ int ints[];
    ints[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = ints[blockDim.x - 1 - threadIdx.x];
}

template <typename T> __global__ void rotate(T *p, int by) {
    extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
    T *items = reinterpret_cast<T *>(bytes);
    items[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = items[(threadIdx.x + by) % blockDim.x];
}

__global__ void interleave(const float *in, float *out, int half) {
    extern __shared__ float parts[];
    float *even = parts, *odd = parts + half;
    float *own = threadIdx.x % 2 == 0 ? even : odd;
    own[threadIdx.x / 2] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = parts[threadIdx.x];
}

__global__ void swap_pairs(int *p) {
    __shared__ extern int items[], pairs[][2]; // of the same memory
    items[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = pairs[threadIdx.x / 2][1 - threadIdx.x % 2];
}

int main() {
    const int n = 128;
    std::vector<int> host(n);
    std::vector<double> doubles(n);
    std::vector<float> floats(n);
    for (int i = 0; i < n; i++) host[i] = i, doubles[i] = i, floats[i] = i;
    device_array<int> a(host);
    device_array<double> b(doubles);
    device_array<float> c(floats), d(n);
    reverse<<<1, n, n * sizeof(int)>>>(a.get());
    swap_pairs<<<1, n, n * sizeof(int)>>>(a.get());
    rotate<<<1, n, n * sizeof(double)>>>(b.get(), 5);
    interleave<<<1, n, n * sizeof(float)>>>(c.get(), d.get(), n / 2);
    std::vector<int> reversed = a.download();
    std::vector<double> rotated = b.download();
    std::vector<float> parted = d.download();
    for (int i = 0; i < n; i++) {
        EXPECT(reversed[i] == n - 1 - (i ^ 1) && rotated[i] == (i + 5) % n);
        EXPECT(parted[i] == (i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1));
    }
}
