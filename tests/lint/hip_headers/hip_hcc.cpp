// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_hcc.h>

int main() {
    return hipExtModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) ==
           hipSuccess;
}
