// SPDX-License-Identifier: Apache-2.0
// Factors small matrices in shared memory, one in each block, column after column.
#include "check.h"

enum { N = 16 };

__global__ void factor(double *matrices) {
    __shared__ double a[N][N];
    const int row = threadIdx.x;
    double *const own = matrices + blockIdx.x * N * N;
    for (int k = 0; k < N; k++) a[row][k] = own[row * N + k];
    __syncthreads();
    for (int k = 0; k < N; k++) {
        if (row == k) a[k][k] = sqrt(a[k][k]);
        __syncthreads();
        if (row > k) a[row][k] /= a[k][k];
        __syncthreads();
        if (row > k)
            for (int c = k + 1; c <= row; c++) a[row][c] -= a[row][k] * a[c][k];
        __syncthreads();
    }
    for (int k = 0; k < N; k++) own[row * N + k] = k <= row ? a[row][k] : 0;
}

int main() {
    const int count = 5;
    std::vector<double> lower(count * N * N), host(count * N * N);
    numbers random;
    for (int m = 0; m < count; m++)
        for (int r = 0; r < N; r++)
            for (int c = 0; c <= r; c++)
                lower[(m * N + r) * N + c] = r == c ? 1 + random.unit() : random.unit() - 0.5;
    for (int m = 0; m < count; m++)
        for (int r = 0; r < N; r++)
            for (int c = 0; c < N; c++)
                for (int k = 0; k < N; k++)
                    host[(m * N + r) * N + c] +=
                        lower[(m * N + r) * N + k] * lower[(m * N + c) * N + k];
    device_array<double> matrices(host);
    factor<<<count, N>>>(matrices.get());
    const std::vector<double> got = matrices.download();
    for (size_t i = 0; i < got.size(); i++) EXPECT(std::fabs(got[i] - lower[i]) < 1e-9);
}
