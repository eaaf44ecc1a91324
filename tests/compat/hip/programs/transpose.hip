// SPDX-License-Identifier: Apache-2.0
// Transposes a matrix whose sides are no multiples of the tile.
#include "check.h"

#define TILE 16

__global__ void transpose(const double *in, double *out, int width, int height) {
    __shared__ double tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    const int width = 75, height = 50;
    std::vector<double> in(width * height);
    for (size_t i = 0; i < in.size(); i++) in[i] = double(i);
    device_array<double> din(in), dout(in.size());
    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    hipLaunchKernelGGL(transpose, grid, dim3(TILE, TILE), 0, 0, din.get(), dout.get(), width,
                       height);
    std::vector<double> out = dout.download();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) EXPECT(out[x * height + y] == in[y * width + x]);
}
