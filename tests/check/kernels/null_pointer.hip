// SPDX-License-Identifier: Apache-2.0
// A kernel writes through a pointer that nothing was assigned to.
// OPTIONS: -fsanitize=null -fno-sanitize-recover=all
// EXPECT: null_pointer.hip:7:[0-9]*: runtime error: store to null pointer of type 'int'
#include "../../compat/hip/programs/check.h"
__global__ void count(const int *in, int *found) {
    if (in[threadIdx.x] > 0) *found = 1;
}

int main() {
    int *found = nullptr; // hipMalloc() is missing
    device_array<int> in(std::vector<int>(8, 1));
    count<<<1, 8>>>(in.get(), found);
    (void)hipDeviceSynchronize();
}
