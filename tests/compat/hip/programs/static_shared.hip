// SPDX-License-Identifier: Apache-2.0
// Shared memory that is static in words too: in a kernel, a template, a function of the device and a macro, of kernels
// whose heads have macros with arguments.
#include "check.h"

#define BOUNDS(threads, blocks) __launch_bounds__(threads)
#define KERNEL(name)            __global__ void name
#define NAME(stem)              stem##_kernel
#define TILE(type, name, count) static __shared__ type name[count]

enum { COUNT = 64 };

template <typename T> __global__ void BOUNDS(COUNT, 1) reverse(T *p) {
    static __shared__ T items[COUNT];
    items[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = items[COUNT - 1 - threadIdx.x];
}

template <typename T> __device__ T from_next(T value) {
    __shared__ static volatile T items[COUNT];
    items[threadIdx.x] = value;
    __syncthreads();
    return items[(threadIdx.x + 1) % COUNT];
}

KERNEL(rotate)(int *p) { p[threadIdx.x] = from_next(p[threadIdx.x]); }

__global__ void NAME(swap)(int *p) {
    TILE(int, items, COUNT);
    items[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = items[threadIdx.x ^ 1];
}

int main() {
    std::vector<int> host(COUNT);
    std::vector<double> doubles(COUNT);
    for (int i = 0; i < COUNT; i++) host[i] = i, doubles[i] = i;
    device_array<int> a(host);
    device_array<double> b(doubles);
    reverse<<<1, COUNT>>>(b.get());
    rotate<<<1, COUNT>>>(a.get());
    int *p = a.get();
    void *arguments[] = {&p};
    HIP_CHECK(hipLaunchKernel(NAME(swap), dim3(1), dim3(COUNT), arguments, 0, 0));
    HIP_CHECK(hipDeviceSynchronize());
    std::vector<int> rotated = a.download();
    std::vector<double> reversed = b.download();
    for (int i = 0; i < COUNT; i++)
        EXPECT(rotated[i] == ((i ^ 1) + 1) % COUNT && reversed[i] == COUNT - 1 - i);
}
