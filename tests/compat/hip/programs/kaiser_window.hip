// SPDX-License-Identifier: Apache-2.0
// Multiplies a signal by a Kaiser window, which needs a Bessel function.
#include "check.h"

__global__ void apply(float *signal, int n, float beta) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = 2.0f * i / (n - 1) - 1;
    signal[i] *= cyl_bessel_i0f(beta * sqrtf(max(0.0f, 1 - x * x))) / cyl_bessel_i0f(beta);
}

int main() {
    const int n = 65;
    device_array<float> signal(std::vector<float>(n, 1.0f));
    apply<<<2, 64>>>(signal.get(), n, 8.6f);
    const std::vector<float> got = signal.download();
    EXPECT(got[n / 2] == 1 && got[0] < 0.002f && got[0] > 0.001f);
    for (int i = 0; i < n / 2; i++)
        EXPECT(got[i] < got[i + 1] && std::fabs(got[i] - got[n - 1 - i]) < 1e-6f);
}
