// SPDX-License-Identifier: Apache-2.0
// Dot products of rows in half precision, with sums in float, and a scaled copy in 8 bits: blocks of
// quantised weights as programs for language models have them.
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>

#include "check.h"

struct block {
    half2 scale; // of the weights, and what is added to them
    signed char weights[32];
};

template <typename T> __device__ T sum_of_tile(T value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor(value, offset, 32);
    return value;
}

__global__ void dot(const block *rows, const __half *x, float *out, int blocks) {
    float sum = 0;
    for (int i = 0; i < blocks; i++) {
        const block &b = rows[blockIdx.x * blocks + i];
        const half2 v = __hfma2(__half2half2(__low2half(b.scale)),
                                __half2half2(__int2half_rn(b.weights[threadIdx.x])),
                                __half2half2(__high2half(b.scale)));
        sum += __half2float(__low2half(v)) * __half2float(x[32 * i + threadIdx.x]);
    }
    sum = sum_of_tile(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void largest(const __half *x, __half *out, unsigned char *packed) {
    __half value = __habs(x[threadIdx.x]);
    for (int offset = 16; offset > 0; offset /= 2)
        value = __hmax(value, __shfl_xor(value, offset, 32));
    if (threadIdx.x == 0) *out = value;
    packed[threadIdx.x] = __hip_fp8_e4m3(__hdiv(x[threadIdx.x], value)).__x;
}

int main() {
    const int rows = 5, blocks = 3;
    std::vector<block> weights(rows * blocks);
    std::vector<__half> x(32 * blocks);
    numbers random;
    for (block &b : weights) {
        b.scale = __floats2half2_rn(0.25f, -1);
        for (signed char &w : b.weights) w = static_cast<signed char>(random() >> 24);
    }
    for (__half &one : x) one = __float2half(static_cast<int>(random() >> 28) - 8);
    device_array<block> device_weights(weights);
    device_array<__half> device_x(x), top(1);
    device_array<float> out(rows);
    device_array<unsigned char> packed(32);
    dot<<<rows, 32>>>(device_weights.get(), device_x.get(), out.get(), blocks);
    largest<<<1, 32>>>(device_x.get(), top.get(), packed.get());
    const std::vector<float> sums = out.download();
    for (int r = 0; r < rows; r++) {
        float wanted = 0;
        for (int i = 0; i < 32 * blocks; i++)
            wanted += (0.25f * weights[r * blocks + i / 32].weights[i % 32] - 1) *
                      static_cast<float>(x[i]);
        EXPECT(sums[r] == wanted);
    }
    float most = 0;
    for (int i = 0; i < 32; i++) most = std::fmax(most, std::fabs(static_cast<float>(x[i])));
    EXPECT(static_cast<float>(top.download()[0]) == most);
    const std::vector<unsigned char> bytes = packed.download();
    for (int i = 0; i < 32; i++) {
        __hip_fp8_e4m3 number;
        number.__x = bytes[i];
        EXPECT(std::fabs(static_cast<float>(number) * most - static_cast<float>(x[i])) <=
               most / 16);
    }
}
