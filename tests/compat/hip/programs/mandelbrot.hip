// SPDX-License-Identifier: Apache-2.0
// Iterations of each point of a picture, in a grid of two dimensions. Each multiply-add is explicit,
// so that compilers of the CPU and of a GPU round in the same places.
#include "check.h"

__host__ __device__ int iterate(float cx, float cy, int most) {
    float x = 0, y = 0;
    int i = 0;
    for (; i < most && fmaf(x, x, y * y) < 4; i++) {
        float t = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(2 * x, y, cy);
        x = t;
    }
    return i;
}

__global__ void mandelbrot(unsigned char *picture, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        picture[y * width + x] = iterate(3.0f * x / width - 2, 2.0f * y / height - 1, 100);
}

int main() {
    const int width = 90, height = 60;
    device_array<unsigned char> picture(width * height);
    dim3 block(16, 4), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    mandelbrot<<<grid, block>>>(picture.get(), width, height);
    std::vector<unsigned char> got = picture.download();
    int inside = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            EXPECT(got[y * width + x] == iterate(3.0f * x / width - 2, 2.0f * y / height - 1, 100));
            inside += got[y * width + x] == 100;
        }
    EXPECT(inside > width * height / 8 && inside < width * height / 2);
}
