// SPDX-License-Identifier: Apache-2.0
// A kernel in another source than its launch: both see one position of a thread.
#include <hip/hip_runtime.h>

__device__ unsigned place() { return blockIdx.x * blockDim.x + threadIdx.x; }
