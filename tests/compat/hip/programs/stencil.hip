// SPDX-License-Identifier: Apache-2.0
// A stencil of 7 points with a halo in shared memory, and 20 steps of heat in a plane.
#include "check.h"

#include <utility>

template <int Radius, int Threads> __global__ void sum_around(const int *in, int *out, int n) {
    __shared__ int part[Threads + 2 * Radius];
    const int i = blockIdx.x * Threads + threadIdx.x, at = threadIdx.x + Radius;
    part[at] = i < n ? in[i] : 0;
    if (threadIdx.x < Radius) {
        part[at - Radius] = i >= Radius ? in[i - Radius] : 0;
        part[at + Threads] = i + Threads < n ? in[i + Threads] : 0;
    }
    __syncthreads();
    int sum = 0;
    for (int k = -Radius; k <= Radius; k++) sum += part[at + k];
    if (i < n) out[i] = sum;
}

__global__ void heat(const float *in, float *out, int side) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    bool border = x == 0 || y == 0 || x == side - 1 || y == side - 1;
    int i = y * side + x;
    out[i] = border ? in[i] : 0.25f * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
}

void heat_on_host(std::vector<float> &plane, int side) {
    std::vector<float> next = plane;
    for (int y = 1; y < side - 1; y++)
        for (int x = 1; x < side - 1; x++) {
            int i = y * side + x;
            next[i] = 0.25f * (plane[i - 1] + plane[i + 1] + plane[i - side] + plane[i + side]);
        }
    plane = next;
}

int main() {
    const int n = 1000, side = 33;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = i * i % 11;
    device_array<int> din(in), dout(n);
    sum_around<3, 64><<<(n + 63) / 64, 64>>>(din.get(), dout.get(), n);
    std::vector<int> got = dout.download();
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = i - 3; k <= i + 3; k++) sum += k >= 0 && k < n ? in[k] : 0;
        EXPECT(got[i] == sum);
    }
    std::vector<float> plane(side * side);
    for (int i = 0; i < side; i++) plane[i] = 100;
    device_array<float> a(plane), b(plane);
    float *from = a.get(), *to = b.get();
    for (int step = 0; step < 20; step++, std::swap(from, to)) {
        heat<<<dim3(3, 5), dim3(16, 8)>>>(from, to, side);
        heat_on_host(plane, side);
    }
    EXPECT((from == a.get() ? a : b).download() == plane);
}
