// SPDX-License-Identifier: Apache-2.0
// Those of NVIDIA need nvcc.
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

int main() { return 0; }
