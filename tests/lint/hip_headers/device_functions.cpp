// SPDX-License-Identifier: Apache-2.0
#include <hip/device_functions.h>

__global__ void use(int *out) { *out = __popc(__funnelshift_l(1, 2, 3)) + __any(1); }

int main() { return 0; }
