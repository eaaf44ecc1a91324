// SPDX-License-Identifier: Apache-2.0
#include <hip/hip_ext.h>

__global__ void nothing() {}

int main() {
    void *no_arguments[1] = {nullptr};
    return hipExtLaunchKernel(reinterpret_cast<const void *>(nothing), 1, 1, no_arguments, 0,
                              nullptr, nullptr, nullptr, hipExtAnyOrderLaunch);
}
