// SPDX-License-Identifier: Apache-2.0
// Four numbers are read at once from an address that is not aligned to them.
// OPTIONS: -fsanitize=alignment -fno-sanitize-recover=all
// EXPECT: misaligned.hip:9:[0-9]*: runtime error: .*misaligned address
#include "../../compat/hip/programs/check.h"

__global__ void sum_four(const float *in, float *out) {
    const float4 *four = reinterpret_cast<const float4 *>(in + 1);
    float4 own = four[threadIdx.x];
    out[threadIdx.x] = own.x + own.y + own.z + own.w;
}

int main() {
    device_array<float> in(std::vector<float>(36, 1)), out(8);
    sum_four<<<1, 8>>>(in.get(), out.get());
    (void)out.download();
}
