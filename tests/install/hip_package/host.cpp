// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_runtime.h>

#if !defined(__HIP_PLATFORM_AMD__)
#error the platform is not defined
#endif

int main() {
    int count = 0;
    return hipGetDeviceCount(&count) == hipSuccess && count > 0 ? 0 : 1;
}
