// SPDX-License-Identifier: Apache-2.0
// A convolution whose blocks copy their part of the signal to shared memory together.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__constant__ float weights[5];

__global__ void convolve(const float *in, float *out) {
    __shared__ float part[64 + 4];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, part, in + blockIdx.x * 64, sizeof part);
    cg::wait(block);
    float sum = 0;
    for (int k = 0; k < 5; k++) sum += weights[k] * part[threadIdx.x + k];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main() {
    const int n = 4 * 64;
    const float host_weights[] = {1, -2, 3, -2, 1};
    std::vector<float> host(n + 4);
    for (int i = 0; i < n + 4; i++) host[i] = i * i % 17;
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(weights), host_weights, sizeof host_weights));
    device_array<float> in(host), out(n);
    convolve<<<n / 64, 64>>>(in.get(), out.get());
    const std::vector<float> got = out.download();
    for (int i = 0; i < n; i++) {
        float wanted = 0;
        for (int k = 0; k < 5; k++) wanted += host_weights[k] * host[i + k];
        EXPECT(got[i] == wanted);
    }
}
