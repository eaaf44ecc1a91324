// SPDX-License-Identifier: Apache-2.0
// A kernel on one stream does not wait for the copy on another one.
// RUN: check
// EXPECT: WARN overlapping-writers: .*used as an argument by kernel twice (hipExtLaunchHost) .*written by hipMemcpyAsync
// EXPECT: main .*missing_wait.hip:18
#include "../../compat/hip/programs/check.h"

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

int main() {
    int *host, *p;
    hipStream_t copies, kernels;
    HIP_CHECK(hipHostMalloc(&host, 64 * sizeof(int)));
    HIP_CHECK(hipMalloc(&p, 64 * sizeof(int)));
    HIP_CHECK(hipStreamCreate(&copies));
    HIP_CHECK(hipStreamCreate(&kernels));
    HIP_CHECK(hipMemcpyAsync(p, host, 64 * sizeof(int), hipMemcpyHostToDevice, copies));
    twice<<<1, 64, 0, kernels>>>(p);
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipStreamDestroy(copies));
    HIP_CHECK(hipStreamDestroy(kernels));
    HIP_CHECK(hipFree(p));
    HIP_CHECK(hipHostFree(host));
}
