// SPDX-License-Identifier: Apache-2.0
// Finds edges in an image of four channels, whose border repeats.
#include "check.h"

__device__ inline uchar4 at(const uchar4 *image, int x, int y, int width, int height) {
    return image[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
}

__device__ inline int grey(uchar4 p) { return (p.x * 77 + p.y * 150 + p.z * 29) >> 8; }

__global__ void edges(const uchar4 *in, uchar4 *out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int across = 0, down = 0;
    for (int k = -1; k <= 1; k++) {
        const int weight = k == 0 ? 2 : 1;
        across += weight * (grey(at(in, x + 1, y + k, width, height)) -
                            grey(at(in, x - 1, y + k, width, height)));
        down += weight * (grey(at(in, x + k, y + 1, width, height)) -
                          grey(at(in, x + k, y - 1, width, height)));
    }
    const unsigned char strength =
        static_cast<unsigned char>(__saturatef(hypotf(across, down) / 255) * 255);
    out[y * width + x] = make_uchar4(strength, strength, strength, in[y * width + x].w);
}

int main() {
    const int width = 40, height = 18;
    std::vector<uchar4> image(width * height);
    for (int i = 0; i < width * height; i++) {
        const unsigned char value = i % width < 20 ? 10 : 200;
        image[i] = make_uchar4(value, value, value, i % 256);
    }
    device_array<uchar4> in(image), out(image.size());
    edges<<<dim3(3, 2), dim3(16, 16)>>>(in.get(), out.get(), width, height);
    const std::vector<uchar4> got = out.download();
    for (int i = 0; i < width * height; i++) {
        const int x = i % width;
        EXPECT(got[i].x == (x == 19 || x == 20 ? 255 : 0) && got[i].w == i % 256);
    }
}
