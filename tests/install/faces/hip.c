// SPDX-License-Identifier: Apache-2.0
// The least program for HIP: headers and library fit together, and there is a device.
#include <hip/hip_runtime_api.h>
#include <stdio.h>

int main(void) {
    int version = 0, count = 0;
    if (hipRuntimeGetVersion(&version) != hipSuccess || hipGetDeviceCount(&count) != hipSuccess)
        return 1;
    printf("version %d, %d devices\n", version, count);
    return count > 0 ? 0 : 1;
}
