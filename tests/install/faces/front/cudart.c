// SPDX-License-Identifier: Apache-2.0
// The least program for CUDA's runtime, which is a front of the driver library.
#include <cuda_runtime_api.h>

int main(void) {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? 0 : 1;
}
