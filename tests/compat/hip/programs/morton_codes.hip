// SPDX-License-Identifier: Apache-2.0
// Bits: Morton codes, reversed indices, and the highest and lowest bits.
#include "check.h"

__device__ unsigned spread(unsigned x) {
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

__global__ void encode(unsigned *codes, unsigned *reversed, int *bits) {
    const unsigned x = threadIdx.x, y = blockIdx.x, i = y * blockDim.x + x;
    const unsigned code = spread(x) | spread(y) << 1;
    codes[i] = code;
    reversed[i] = __brev(code) >> 22;
    bits[i] = __popc(code) + 100 * __ffs(code) + 10000 * (32 - __clz(code));
}

int main() {
    const int side = 32, n = side * side;
    device_array<unsigned> codes(n), reversed(n);
    device_array<int> bits(n);
    encode<<<side, side>>>(codes.get(), reversed.get(), bits.get());
    const std::vector<unsigned> c = codes.download(), r = reversed.download();
    const std::vector<int> b = bits.download();
    for (int i = 0; i < n; i++) {
        unsigned code = 0, mirrored = 0;
        int count = 0, low = 0, high = 0;
        for (int k = 0; k < 5; k++)
            code |= (i % side >> k & 1) << 2 * k | (i / side >> k & 1) << (2 * k + 1);
        for (int k = 0; k < 10; k++) {
            if ((code >> k & 1) == 0) continue;
            mirrored |= 1u << (9 - k);
            count++;
            high = k + 1;
            if (low == 0) low = k + 1;
        }
        EXPECT(c[i] == code && r[i] == mirrored && b[i] == count + 100 * low + 10000 * high);
    }
}
