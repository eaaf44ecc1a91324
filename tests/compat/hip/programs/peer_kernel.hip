// SPDX-License-Identifier: Apache-2.0
// Two devices: a kernel on one, a copy between them, and a kernel on the other that reads its
// peer's memory.
#include "check.h"

__global__ void fill(int *p, int first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = first + i;
}

__global__ void subtract(const int *a, const int *b, int *difference, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) difference[i] = a[i] - b[i];
}

int main() {
    const int n = 3000, blocks = (n + 255) / 256;
    int devices = 0, access = 0;
    HIP_CHECK(hipGetDeviceCount(&devices));
    if (devices < 2) {
        std::printf("skipped: needs two devices\n");
        return 77;
    }
    HIP_CHECK(hipDeviceCanAccessPeer(&access, 1, 0));
    EXPECT(access == 1);
    int *near, *far, *copy, *difference;
    HIP_CHECK(hipSetDevice(0));
    HIP_CHECK(hipMalloc(&near, n * sizeof(int)));
    fill<<<blocks, 256>>>(near, 1000, n);
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipSetDevice(1));
    HIP_CHECK(hipDeviceEnablePeerAccess(0, 0));
    HIP_CHECK(hipMalloc(&copy, n * sizeof(int)));
    HIP_CHECK(hipMalloc(&far, n * sizeof(int)));
    HIP_CHECK(hipMalloc(&difference, n * sizeof(int)));
    HIP_CHECK(hipMemcpyPeer(copy, 1, near, 0, n * sizeof(int)));
    fill<<<blocks, 256>>>(far, 0, n);
    subtract<<<blocks, 256>>>(copy, far, copy, n);
    subtract<<<blocks, 256>>>(near, far, difference, n);
    std::vector<int> a(n), b(n);
    HIP_CHECK(hipMemcpy(a.data(), copy, n * sizeof(int), hipMemcpyDeviceToHost));
    HIP_CHECK(hipMemcpy(b.data(), difference, n * sizeof(int), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) EXPECT(a[i] == 1000 && b[i] == 1000);
    for (int *p : {near, far, copy, difference}) HIP_CHECK(hipFree(p));
}
