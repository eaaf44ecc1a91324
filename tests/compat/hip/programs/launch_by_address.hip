// SPDX-License-Identifier: Apache-2.0
// Kernels by their address, with arrays of arguments: of templates too, with a name, and with
// events.
#include "check.h"

#include <cstring>

__global__ void add(int *p, int what) { p[blockIdx.x * blockDim.x + threadIdx.x] += what; }

template <typename T, int By> __global__ void multiply(T *p) {
    p[blockIdx.x * blockDim.x + threadIdx.x] *= By;
}

int main() {
    device_array<int> data(std::vector<int>(64, 1));
    int *p = data.get(), what = 4;
    void *two[] = {&p, &what}, *one[] = {&p};
    HIP_CHECK(
        hipLaunchKernel(reinterpret_cast<const void *>(&add), dim3(2), dim3(32), two, 0, nullptr));
    HIP_CHECK(hipLaunchKernel((void *)multiply<int, 3>, dim3(2), dim3(32), one, 0, nullptr));
    hipEvent_t begin, end;
    HIP_CHECK(hipEventCreate(&begin));
    HIP_CHECK(hipEventCreate(&end));
    HIP_CHECK(hipExtLaunchKernel((void *)add, dim3(1), dim3(64), two, 0, nullptr, begin, end, 0));
    HIP_CHECK(hipEventSynchronize(end));
    for (int got : data.download()) EXPECT(got == (1 + 4) * 3 + 4);
    hipFuncAttributes attributes;
    HIP_CHECK(hipFuncGetAttributes(&attributes, (const void *)add));
    EXPECT(attributes.maxThreadsPerBlock > 0);
    EXPECT(std::strcmp(hipKernelNameRefByPtr((const void *)add, nullptr), "add") == 0);
    EXPECT(hipLaunchKernel((const void *)&main, dim3(1), dim3(1), one, 0, nullptr) ==
           hipErrorInvalidDeviceFunction);
    HIP_CHECK(hipEventDestroy(begin));
    HIP_CHECK(hipEventDestroy(end));
}
