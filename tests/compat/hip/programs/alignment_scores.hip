// SPDX-License-Identifier: Apache-2.0
// Aligns two texts by dynamic programming: the threads of a block follow the diagonals of a table.
#include <algorithm>

#include "check.h"

__device__ inline int largest(int a, int b, int c) { return max(a, max(b, c)); }

__global__ void align(const char *a, const char *b, int rows, int columns, int *table) {
    const int width = columns + 1;
    for (int i = threadIdx.x; i <= columns; i += blockDim.x) table[i] = -i;
    for (int i = threadIdx.x; i <= rows; i += blockDim.x) table[i * width] = -i;
    for (int diagonal = 2; diagonal <= rows + columns; diagonal++) {
        __syncthreads();
        const int first = max(1, diagonal - columns), last = min(rows, diagonal - 1);
        for (int r = first + threadIdx.x; r <= last; r += blockDim.x) {
            const int c = diagonal - r;
            table[r * width + c] =
                largest(table[(r - 1) * width + c] - 1, table[r * width + c - 1] - 1,
                        table[(r - 1) * width + c - 1] + (a[r - 1] == b[c - 1] ? 2 : -1));
        }
    }
}

int main() {
    const int rows = 60, columns = 45;
    std::vector<char> a(rows), b(columns);
    numbers random;
    for (char &x : a) x = "ACGT"[random() >> 30];
    for (int i = 0; i < columns; i++) b[i] = random() >> 29 == 0 ? 'N' : a[i + 7];
    device_array<char> da(a), db(b);
    device_array<int> table((rows + 1) * (columns + 1));
    align<<<1, 32>>>(da.get(), db.get(), rows, columns, table.get());
    std::vector<int> wanted((rows + 1) * (columns + 1));
    for (int r = 0; r <= rows; r++)
        for (int c = 0; c <= columns; c++) {
            const int w = columns + 1;
            wanted[r * w + c] =
                r == 0 || c == 0
                    ? -r - c
                    : std::max({wanted[(r - 1) * w + c] - 1, wanted[r * w + c - 1] - 1,
                                wanted[(r - 1) * w + c - 1] + (a[r - 1] == b[c - 1] ? 2 : -1)});
        }
    EXPECT(table.download() == wanted);
}
