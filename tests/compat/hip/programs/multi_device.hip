// SPDX-License-Identifier: Apache-2.0
// Divides a sum among all devices, each with a stream, a buffer and a kernel of its own.
#include "check.h"

__global__ void sum_squares(unsigned long long *sum, unsigned first, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        unsigned long long x = first + i;
        atomicAdd(sum, x * x);
    }
}

int main() {
    const unsigned n = 6000;
    int devices;
    HIP_CHECK(hipGetDeviceCount(&devices));
    std::vector<hipStream_t> streams(devices);
    std::vector<unsigned long long *> sums(devices);
    unsigned each = n / devices;
    for (int d = 0; d < devices; d++) {
        HIP_CHECK(hipSetDevice(d));
        HIP_CHECK(hipStreamCreate(&streams[d]));
        HIP_CHECK(hipMalloc(&sums[d], sizeof *sums[d]));
        HIP_CHECK(hipMemsetAsync(sums[d], 0, sizeof *sums[d], streams[d]));
        sum_squares<<<3, 100, 0, streams[d]>>>(sums[d], d * each,
                                               d + 1 < devices ? each : n - d * each);
    }
    unsigned long long total = 0, wanted = 0;
    for (int d = 0; d < devices; d++) {
        unsigned long long part;
        HIP_CHECK(hipSetDevice(d));
        HIP_CHECK(hipMemcpyAsync(&part, sums[d], sizeof part, hipMemcpyDeviceToHost, streams[d]));
        HIP_CHECK(hipStreamSynchronize(streams[d]));
        total += part;
        HIP_CHECK(hipFree(sums[d]));
        HIP_CHECK(hipStreamDestroy(streams[d]));
    }
    for (unsigned long long x = 0; x < n; x++) wanted += x * x;
    EXPECT(total == wanted);
}
