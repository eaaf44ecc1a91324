// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_common.h>

int main(void) { return HIP_VERSION_MAJOR; }
