// SPDX-License-Identifier: Apache-2.0
// A program for the host may include the headers of device code.
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <device_launch_parameters.h>

int main() {
    void *memory = nullptr;
    return cudaMalloc(&memory, 1) == cudaSuccess ? 0 : 1;
}
