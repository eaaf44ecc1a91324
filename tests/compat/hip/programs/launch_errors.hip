// SPDX-License-Identifier: Apache-2.0
// Launches that fail say so, do nothing, and leave the device usable.
#include "check.h"

__global__ void set(int *p, int value) { *p = value; }

int main() {
    device_array<int> data(1);
    data.clear();
    set<<<1, 4096>>>(data.get(), 1);
    EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
    EXPECT(hipGetLastError() == hipSuccess);
    set<<<0, 1>>>(data.get(), 2);
    EXPECT(hipPeekAtLastError() == hipErrorInvalidConfiguration);
    EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
    set<<<1, 1, size_t(1) << 30>>>(data.get(), 3);
    EXPECT(hipGetLastError() != hipSuccess);
    EXPECT(data.download()[0] == 0);
    set<<<1, 1>>>(data.get(), 4);
    HIP_CHECK(hipGetLastError());
    EXPECT(data.download()[0] == 4);
}
