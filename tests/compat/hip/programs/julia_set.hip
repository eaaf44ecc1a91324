// SPDX-License-Identifier: Apache-2.0
// Counts the steps of a Julia set with complex numbers.
#include <hip/hip_complex.h>

#include "check.h"

__host__ __device__ inline int steps(hipFloatComplex z, hipFloatComplex c) {
    int n = 0;
    while (n < 50 && hipCabsf(z) < 2) z = hipCaddf(hipCmulf(z, z), c), n++;
    return n;
}

__global__ void julia(int *out, int width, hipFloatComplex c) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < width)
        out[y * width + x] =
            steps(make_hipFloatComplex(4.0f * x / width - 2, 4.0f * y / width - 2), c);
}

int main() {
    const int width = 50;
    const hipFloatComplex c = hipConjf(make_hipFloatComplex(-0.8f, -0.156f));
    device_array<int> out(width * width);
    julia<<<dim3(4, 4), dim3(16, 16)>>>(out.get(), width, c);
    const std::vector<int> got = out.download();
    for (int y = 0; y < width; y++)
        for (int x = 0; x < width; x++)
            EXPECT(got[y * width + x] ==
                   steps(make_hipFloatComplex(4.0f * x / width - 2, 4.0f * y / width - 2), c));
    const hipDoubleComplex q = hipCdiv(make_hipDoubleComplex(1, 2), make_hipDoubleComplex(3, -4));
    EXPECT(std::fabs(hipCreal(q) + 0.2) < 1e-15 && std::fabs(hipCimag(q) - 0.4) < 1e-15);
}
