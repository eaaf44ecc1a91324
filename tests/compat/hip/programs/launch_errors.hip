// SPDX-License-Identifier: Apache-2.0
// Launches that fail say so, do nothing, and leave the device usable. All wrong errors are printed.
#include "check.h"

__global__ void set(int *p, int value) { *p = value; }

static int wrong;

static void expect(hipError_t wanted, hipError_t got, const char *what) {
    if (got == wanted) return;
    std::fprintf(stderr, "%s: %s, not %s\n", what, hipGetErrorName(got), hipGetErrorName(wanted));
    wrong++;
}

int main() {
    device_array<int> data(1);
    data.clear();
    set<<<1, 4096>>>(data.get(), 1);
    expect(hipErrorInvalidConfiguration, hipGetLastError(), "4096 threads");
    expect(hipSuccess, hipGetLastError(), "the error again");
    set<<<0, 1>>>(data.get(), 2);
    expect(hipErrorInvalidConfiguration, hipPeekAtLastError(), "no blocks");
    expect(hipErrorInvalidConfiguration, hipGetLastError(), "no blocks");
    set<<<1, 1, size_t(1) << 30>>>(data.get(), 3);
    EXPECT(hipGetLastError() != hipSuccess);
    EXPECT(data.download()[0] == 0);
    set<<<1, 1>>>(data.get(), 4);
    HIP_CHECK(hipGetLastError());
    EXPECT(data.download()[0] == 4);
    return wrong != 0;
}
