// SPDX-License-Identifier: Apache-2.0
// A stride in the wrong unit leads out of all memory, in a function of HIP that the compiler makes part of the kernel.
// OPTIONS: -O2
// EXPECT: kernel scatter, block (0, 0, 0), thread (0, 0, 0): an access of .*, at stray_pointer.hip:8
// EXPECT: illegal memory access
#include "../../compat/hip/programs/check.h"

__global__ void scatter(int *p, long stride) { atomicAdd(&p[(threadIdx.x + 1) * stride], 1); }

int main() {
    device_array<int> data(64);
    scatter<<<1, 8>>>(data.get(), 1l << 38);
    (void)data.download();
}
