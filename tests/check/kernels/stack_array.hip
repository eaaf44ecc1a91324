// SPDX-License-Identifier: Apache-2.0
// A local array of a thread that is written behind its end.
// OPTIONS: -fsanitize=address
// EXPECT: ERROR: AddressSanitizer: stack-buffer-overflow
// EXPECT: #0 .* in gather.*stack_array.hip:10
#include "../../compat/hip/programs/check.h"

__global__ void gather(const int *in, int *out, int n) {
    int own[4];
    for (int i = 0; i <= n; i++) own[i] = in[i];
    out[threadIdx.x] = own[threadIdx.x % n];
}

int main() {
    device_array<int> in(std::vector<int>(8, 1)), out(8);
    gather<<<1, 8>>>(in.get(), out.get(), 4);
    (void)out.download();
}
