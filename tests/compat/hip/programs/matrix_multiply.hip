// SPDX-License-Identifier: Apache-2.0
// Multiplies matrices by tiles in shared memory.
#include "check.h"

template <int Tile>
__global__ void __launch_bounds__(Tile *Tile)
    multiply(const float *a, const float *b, float *c, int n, int inner) {
    __shared__ float left[Tile][Tile];
    __shared__ float right[Tile][Tile];
    const int row = blockIdx.y * Tile + threadIdx.y;
    const int column = blockIdx.x * Tile + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < inner / Tile; tile++) {
        left[threadIdx.y][threadIdx.x] = a[row * inner + tile * Tile + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile * Tile + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < Tile; k++) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main() {
    constexpr int tile = 16, rows = 48, inner = 64, columns = 32;
    std::vector<float> a(rows * inner), b(inner * columns);
    for (size_t i = 0; i < a.size(); i++) a[i] = float(i % 7);
    for (size_t i = 0; i < b.size(); i++) b[i] = float(i % 5) - 2;
    device_array<float> da(a), db(b), dc(rows * columns);
    multiply<tile><<<dim3(columns / tile, rows / tile), dim3(tile, tile)>>>(
        da.get(), db.get(), dc.get(), columns, inner);
    std::vector<float> c = dc.download();
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            float sum = 0;
            for (int k = 0; k < inner; k++) sum += a[y * inner + k] * b[k * columns + x];
            EXPECT(c[y * columns + x] == sum);
        }
}
