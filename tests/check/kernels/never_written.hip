// SPDX-License-Identifier: Apache-2.0
// The result is copied although the launch failed, so that nothing wrote it.
// RUN: check
// EXPECT: ERROR uninitialised-read: .*read by hipMemcpy
// EXPECT: main .*never_written.hip:13
#include "../../compat/hip/programs/check.h"

__global__ void fill(int *p) { p[threadIdx.x] = 7; }

int main() {
    device_array<int> data(8);
    fill<<<1, 4096>>>(data.get()); // too many threads; the error is ignored
    (void)data.download();
}
