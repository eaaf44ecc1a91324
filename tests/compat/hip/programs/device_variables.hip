// SPDX-License-Identifier: Apache-2.0
// A convolution with its weights in constant memory, a counter in device memory, and a managed
// flag.
#include "check.h"

#define WIDTH 5

__constant__ float weights[WIDTH];
__device__ unsigned visited = 3;
__managed__ int flag;

__global__ void convolve(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < WIDTH; k++) {
        int at = i + k - WIDTH / 2;
        if (at >= 0 && at < n) sum += weights[k] * in[at];
    }
    out[i] = sum;
    atomicAdd(&visited, 1u);
    if (i == n - 1) flag += 1;
}

int main() {
    const int n = 500;
    const float host[WIDTH] = {1, 2, 4, 2, 1};
    std::vector<float> in(n);
    for (int i = 0; i < n; i++) in[i] = float(i % 9);
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(weights), host, sizeof host));
    flag = 41;
    device_array<float> din(in), dout(n);
    convolve<<<(n + 63) / 64, 64>>>(din.get(), dout.get(), n);
    std::vector<float> out = dout.download();
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < WIDTH; k++)
            if (i + k >= 2 && i + k - 2 < n) sum += host[k] * in[i + k - 2];
        EXPECT(out[i] == sum);
    }
    unsigned seen = 0;
    void *address;
    size_t bytes = 0;
    HIP_CHECK(hipMemcpyFromSymbol(&seen, HIP_SYMBOL(visited), sizeof seen));
    EXPECT(seen == n + 3);
    HIP_CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(visited)));
    HIP_CHECK(hipGetSymbolSize(&bytes, HIP_SYMBOL(weights)));
    EXPECT(bytes == sizeof weights);
    HIP_CHECK(hipMemset(address, 0, sizeof seen));
    HIP_CHECK(hipDeviceSynchronize());
    HIP_CHECK(hipMemcpyFromSymbol(&seen, HIP_SYMBOL(visited), sizeof seen));
    EXPECT(seen == 0 && flag == 42);
}
