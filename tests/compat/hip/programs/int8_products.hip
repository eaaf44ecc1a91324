// SPDX-License-Identifier: Apache-2.0
// Multiplies matrices of bytes, four at a time, with sums in int.
#include "check.h"

__global__ void multiply(const int *a, const int *b, int *c, int words, int columns) {
    const int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    int sum = 0;
    for (int k = 0; k < words; k++)
        sum = __dp4a(__ldg(a + row * words + k), b[column * words + k], sum);
    c[row * columns + column] = sum;
}

int main() {
    const int rows = 7, columns = 40, depth = 32;
    std::vector<signed char> a(rows * depth), b(columns * depth);
    numbers random;
    for (signed char &x : a) x = static_cast<signed char>(random() >> 24);
    for (signed char &x : b) x = static_cast<signed char>(random() >> 24);
    device_array<signed char> da(a), db(b);
    device_array<int> dc(rows * columns);
    multiply<<<dim3(2, rows), 32>>>(reinterpret_cast<const int *>(da.get()),
                                    reinterpret_cast<const int *>(db.get()), dc.get(), depth / 4,
                                    columns);
    const std::vector<int> c = dc.download();
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < columns; k++) {
            int wanted = 0;
            for (int i = 0; i < depth; i++) wanted += a[r * depth + i] * b[k * depth + i];
            EXPECT(c[r * columns + k] == wanted);
        }
}
