// SPDX-License-Identifier: Apache-2.0
// A kernel is launched with memory that was freed.
// EXPECT: kernel set, block (0, 0, 0), thread (0, 0, 0): an access of address 0x[0-9a-f]*, which it must not access
#include "../../compat/hip/programs/check.h"

__global__ void set(int *p) { p[threadIdx.x] = 1; }

int main() {
    int *p;
    HIP_CHECK(hipMalloc(&p, 64 * sizeof(int)));
    HIP_CHECK(hipFree(p));
    set<<<1, 64>>>(p);
    (void)hipDeviceSynchronize();
}
