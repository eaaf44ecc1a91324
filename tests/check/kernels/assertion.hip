// SPDX-License-Identifier: Apache-2.0
// An assertion of a kernel that does not hold for one element.
// EXPECT: assertion.hip:9: .*Assertion .*p\[threadIdx.x\] >= 0
#include "../../compat/hip/programs/check.h"

#include <cassert>

__global__ void root(float *p) {
    assert(p[threadIdx.x] >= 0);
    p[threadIdx.x] = sqrtf(p[threadIdx.x]);
}

int main() {
    std::vector<float> host(16, 4);
    host[3] = -1;
    device_array<float> data(host);
    root<<<1, 16>>>(data.get());
    (void)data.download();
}
