// SPDX-License-Identifier: Apache-2.0
// The least program for CUDA's driver: headers and library fit together, and there is a device.
#include <cuda.h>
#include <stdio.h>

int main(void) {
    int version = 0, count = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDriverGetVersion(&version) != CUDA_SUCCESS ||
        cuDeviceGetCount(&count) != CUDA_SUCCESS)
        return 1;
    printf("version %d, %d devices\n", version, count);
    return count > 0 ? 0 : 1;
}
