// SPDX-License-Identifier: Apache-2.0
// An index that overflows for the last blocks of a large grid.
// OPTIONS: -fsanitize=signed-integer-overflow -fno-sanitize-recover=all
// EXPECT: overflow.hip:8:[0-9]*: runtime error: signed integer overflow
#include "../../compat/hip/programs/check.h"

__global__ void find(int *out, int stride) {
    int i = (int)blockIdx.x * stride;
    if (i == 0) *out = 1;
}

int main() {
    device_array<int> out(1);
    find<<<4, 1>>>(out.get(), 1 << 30);
    (void)out.download();
}
