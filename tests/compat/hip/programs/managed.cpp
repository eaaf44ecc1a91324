// SPDX-License-Identifier: Apache-2.0
// Managed memory: the CPU and kernels use one pointer in turn, with advice and prefetches in between.
#include <hip/hip_runtime.h>

#include "support/sample.h"

namespace {

constexpr int numbers = 1 << 18;
constexpr size_t bytes = numbers * sizeof(float);

__global__ void saxpy(float a, const float *x, float *y, int count) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) y[i] += a * x[i];
}

float *managed_numbers() {
    float *memory = nullptr;
    must(hipMallocManaged(&memory, bytes));
    hipPointerAttribute_t attributes;
    must(hipPointerGetAttributes(&attributes, memory));
    expect(attributes.isManaged);
    return memory;
}

// Only x is read on the device, and is said to be so.
void advise(const float *x, int device) {
    int read_mostly = 0, preferred = -9;
    must(hipMemAdvise(x, bytes, hipMemAdviseSetReadMostly, device));
    must(hipMemAdvise(x, bytes, hipMemAdviseSetPreferredLocation, device));
    must(hipMemRangeGetAttribute(&read_mostly, sizeof read_mostly, hipMemRangeAttributeReadMostly,
                                 x, bytes));
    must(hipMemRangeGetAttribute(&preferred, sizeof preferred,
                                 hipMemRangeAttributePreferredLocation, x, bytes));
    expect(read_mostly == 1 && preferred == device);
}

} // namespace

int main() {
    int device = 0, supported = 0;
    hipStream_t stream;
    must(hipGetDevice(&device));
    must(hipDeviceGetAttribute(&supported, hipDeviceAttributeManagedMemory, device));
    if (!supported) {
        printf("managed memory is needed\n");
        return 77;
    }
    must(hipStreamCreate(&stream));
    float *x = managed_numbers(), *y = managed_numbers();
    for (int i = 0; i < numbers; i++) {
        x[i] = static_cast<float>(i);
        y[i] = 1;
    }
    advise(x, device);
    for (int round = 0; round < 3; round++) {
        must(hipMemPrefetchAsync(y, bytes, device, stream));
        hipLaunchKernelGGL(saxpy, dim3(numbers / 256), dim3(256), 0, stream, 0.5F, x, y, numbers);
        must(hipGetLastError());
        must(hipMemPrefetchAsync(y, bytes, hipCpuDeviceId, stream));
        must(hipStreamSynchronize(stream));
        y[0] += 1; // the CPU's turn
    }
    expect(y[0] == 4 && y[10] == 16 && y[numbers - 1] == 1 + 1.5F * (numbers - 1));
    printf("y[10] = %.1f\n", static_cast<double>(y[10]));
    must(hipFree(x));
    must(hipFree(y));
    must(hipStreamDestroy(stream));
    return 0;
}
