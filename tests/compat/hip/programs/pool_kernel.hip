// SPDX-License-Identifier: Apache-2.0
// Temporary arrays from a memory pool in stream order, of another size in each step.
#include "check.h"

#include <cstdint>

__global__ void powers(double *p, double base, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = pow(base, i % 8);
}

__global__ void accumulate(const double *p, double *sum, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, p[i]);
}

int main() {
    hipMemPool_t pool;
    hipStream_t stream;
    uint64_t keep = ~uint64_t(0), used = 1;
    HIP_CHECK(hipDeviceGetDefaultMemPool(&pool, 0));
    HIP_CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
    HIP_CHECK(hipStreamCreate(&stream));
    device_array<double> sum(1);
    sum.clear();
    double wanted = 0;
    for (int n = 100; n <= 3000; n += 700) {
        double *p;
        HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&p), n * sizeof(double), stream));
        powers<<<(n + 63) / 64, 64, 0, stream>>>(p, 2, n);
        accumulate<<<1, 64, 0, stream>>>(p, sum.get(), n);
        HIP_CHECK(hipFreeAsync(p, stream));
        for (int i = 0; i < n; i++) wanted += pow(2, i % 8);
    }
    HIP_CHECK(hipStreamSynchronize(stream));
    EXPECT(sum.download()[0] == wanted);
    HIP_CHECK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    HIP_CHECK(hipMemPoolTrimTo(pool, 0));
    HIP_CHECK(hipStreamDestroy(stream));
}
