// SPDX-License-Identifier: Apache-2.0
// The program was compiled without the option, so that no race in it can be found.
// RUN: races
// EXPECT: WARN kernel-unwatched: races within kernel sum_all are not found: it was compiled without --kernel-races
// EXPECT: SUMMARY: 0 error(s), 1 warning(s)
// EXIT: 0
#include "../../compat/hip/programs/check.h"

__global__ void sum_all(int *sum) { *sum += 1; }

int main() {
    device_array<int> sum(1);
    sum.clear();
    sum_all<<<2, 64>>>(sum.get());
    HIP_CHECK(hipDeviceSynchronize());
}
