// SPDX-License-Identifier: Apache-2.0
// A fast Fourier transform of 128 numbers in shared memory, forth and back.
#include "check.h"

enum { N = 128 };

__device__ float2 multiply(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__global__ void transform(const float2 *in, float2 *out, float sign) {
    __shared__ float2 data[N];
    const int i = threadIdx.x;
    data[__brev(2 * i) >> 25] = in[2 * i];
    data[__brev(2 * i + 1) >> 25] = in[2 * i + 1];
    for (int half = 1; half < N; half *= 2) {
        __syncthreads();
        const int k = i % half, low = i / half * 2 * half + k;
        float2 turn;
        sincospif(sign * k / half, &turn.y, &turn.x);
        const float2 a = data[low], b = multiply(turn, data[low + half]);
        data[low] = make_float2(a.x + b.x, a.y + b.y);
        data[low + half] = make_float2(a.x - b.x, a.y - b.y);
    }
    __syncthreads();
    out[i] = data[i];
    out[i + N / 2] = data[i + N / 2];
}

int main() {
    std::vector<float2> host(N);
    for (int i = 0; i < N; i++) host[i] = make_float2(std::cos(2 * 3.14159265f * 5 * i / N), i % 3);
    device_array<float2> in(host), middle(N), out(N);
    transform<<<1, N / 2>>>(in.get(), middle.get(), -1);
    transform<<<1, N / 2>>>(middle.get(), out.get(), 1);
    const std::vector<float2> spectrum = middle.download(), got = out.download();
    float real = 0;
    for (int i = 0; i < N; i++) real += host[i].x;
    EXPECT(std::fabs(spectrum[0].x - real) < 1e-3f && spectrum[5].x > N / 2 - 3);
    for (int i = 0; i < N; i++)
        EXPECT(std::fabs(got[i].x / N - host[i].x) < 1e-5f &&
               std::fabs(got[i].y / N - host[i].y) < 1e-5f);
}
