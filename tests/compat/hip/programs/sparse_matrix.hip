// SPDX-License-Identifier: Apache-2.0
// A sparse matrix in compressed rows times a vector, a warp for each row.
#include "check.h"

__global__ void multiply(const int *starts, const int *columns, const int *values, const int *x,
                         int *y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    int sum = 0;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += warpSize)
        sum += values[i] * x[columns[i]];
    for (int mask = warpSize / 2; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
    if (lane == 0) y[row] = sum;
}

int main() {
    const int rows = 37, width = 200;
    std::vector<int> starts{0}, columns, values, x(width), wanted(rows);
    numbers random;
    for (int &v : x) v = (random() >> 16) % 10;
    for (int row = 0; row < rows; row++) {
        for (int column = row % 3; column < width; column += 1 + (random() >> 16) % 5) {
            columns.push_back(column);
            values.push_back((random() >> 16) % 20 - 10);
            wanted[row] += values.back() * x[column];
        }
        starts.push_back(static_cast<int>(columns.size()));
    }
    device_array<int> dstarts(starts), dcolumns(columns), dvalues(values), dx(x), y(rows);
    multiply<<<(rows * 64 + 127) / 128, 128>>>(dstarts.get(), dcolumns.get(), dvalues.get(),
                                               dx.get(), y.get(), rows);
    EXPECT(y.download() == wanted);
}
