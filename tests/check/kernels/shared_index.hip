// SPDX-License-Identifier: Apache-2.0
// A tile whose last column is read one too far.
// OPTIONS: -fsanitize=undefined -fno-sanitize-recover=all
// EXPECT: shared_index.hip:13:[0-9]*: runtime error: index 16 out of bounds for type 'int \[16\]'
#include "../../compat/hip/programs/check.h"

#define TILE 16

__global__ void difference(const int *in, int *out) {
    __shared__ int part[TILE];
    part[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x + 1] - part[threadIdx.x];
}

int main() {
    device_array<int> in(std::vector<int>(TILE, 1)), out(TILE);
    difference<<<1, TILE>>>(in.get(), out.get());
    (void)out.download();
}
