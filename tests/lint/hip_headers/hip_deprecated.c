// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_deprecated.h>

int main(void) {
    hipDeviceProp_tR0000 properties;
    return hipGetDevicePropertiesR0000(&properties, 0) == hipSuccess ? 0 : 1;
}
