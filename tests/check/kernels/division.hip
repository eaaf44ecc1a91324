// SPDX-License-Identifier: Apache-2.0
// A division by the number of elements, which is zero for one row.
// OPTIONS: -fsanitize=integer-divide-by-zero -fno-sanitize-recover=all
// EXPECT: division.hip:8:[0-9]*: runtime error: division by zero
#include "../../compat/hip/programs/check.h"

__global__ void means(const int *sums, const int *counts, int *out) {
    out[threadIdx.x] = sums[threadIdx.x] / counts[threadIdx.x];
}

int main() {
    std::vector<int> counts(8, 2);
    counts[5] = 0;
    device_array<int> sums(std::vector<int>(8, 4)), dcounts(counts), out(8);
    means<<<1, 8>>>(sums.get(), dcounts.get(), out.get());
    (void)out.download();
}
