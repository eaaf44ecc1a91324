// SPDX-License-Identifier: Apache-2.0
// Normalises rows of bfloat16 numbers: sums in float, by shuffles within a tile of 32 threads.
#include <hip/hip_bf16.h>

#include "check.h"

__device__ float sum_of_tile(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor(value, offset, 32);
    return value;
}

__global__ void normalise(const __hip_bfloat16 *in, __hip_bfloat16 *out, int columns) {
    const __hip_bfloat16 *row = in + blockIdx.x * columns;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < columns; i += 32) sum += __bfloat162float(row[i]);
    const float mean = sum_of_tile(sum) / columns;
    for (int i = threadIdx.x; i < columns; i += 32) {
        const float distance = static_cast<float>(row[i]) - mean;
        squares += distance * distance;
    }
    const float scale = rsqrtf(sum_of_tile(squares) / columns + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += 32)
        out[blockIdx.x * columns + i] = __float2bfloat16((__bfloat162float(row[i]) - mean) * scale);
}

int main() {
    const int rows = 4, columns = 100;
    std::vector<__hip_bfloat16> host(rows * columns);
    numbers random;
    for (__hip_bfloat16 &x : host) x = random.unit() * 8 - 3;
    device_array<__hip_bfloat16> in(host), out(host.size());
    normalise<<<rows, 32>>>(in.get(), out.get(), columns);
    const std::vector<__hip_bfloat16> got = out.download();
    for (int r = 0; r < rows; r++) {
        float mean = 0, variance = 0;
        for (int i = 0; i < columns; i++)
            mean += static_cast<float>(got[r * columns + i]) / columns;
        for (int i = 0; i < columns; i++) {
            const float x = got[r * columns + i];
            variance += (x - mean) * (x - mean) / columns;
        }
        EXPECT(std::fabs(mean) < 0.02f && std::fabs(variance - 1) < 0.02f);
    }
}
