// SPDX-License-Identifier: Apache-2.0
// Computes a mean on the device and compares it with that of the CPU.
#include "mean.h"

#include <cstdio>
#include <vector>

int main() {
    const int count = 100000;
    std::vector<float> numbers(count);
    float *device;
    hipStream_t stream;
    for (int i = 0; i < count; i++) numbers[i] = float(i % 8);
    if (hipStreamCreate(&stream) != hipSuccess ||
        hipMalloc(&device, count * sizeof(float)) != hipSuccess)
        return 1;
    if (hipMemcpyAsync(device, numbers.data(), count * sizeof(float), hipMemcpyHostToDevice,
                       stream) != hipSuccess)
        return 1;
    float got = mean(device, count, stream);
    std::printf("the mean is %g\n", got);
    (void)hipFree(device);
    (void)hipStreamDestroy(stream);
    return got == 3.5f ? 0 : 1;
}
