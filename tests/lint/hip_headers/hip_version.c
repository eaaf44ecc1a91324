// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_version.h>

#if HIP_VERSION < 60300000 || HIP_VERSION_MAJOR != 6
#error the version of these headers
#endif

int main(void) { return HIP_VERSION_MINOR + HIP_VERSION_PATCH; }
