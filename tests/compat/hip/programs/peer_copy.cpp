// SPDX-License-Identifier: Apache-2.0
// Bytes go from device 0 to device 1 and back: by copies that name the devices, in a stream and without
// one, and by a kernel of device 1 that reads memory of device 0.
#include <vector>

#include <hip/hip_runtime.h>

#include "support/sample.h"

namespace {

constexpr int numbers = 1 << 18;
constexpr size_t bytes = numbers * sizeof(int);

__global__ void twice(const int *from, int *to, int count) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = 2 * from[i];
}

int *buffer_of(int device) {
    int *memory = nullptr;
    hipPointerAttribute_t attributes;
    must(hipSetDevice(device));
    must(hipMalloc(reinterpret_cast<void **>(&memory), bytes));
    must(hipPointerGetAttributes(&attributes, memory));
    expect(attributes.device == device);
    return memory;
}

void set_peer_access(bool on) {
    for (int device = 0; device < 2; device++) {
        must(hipSetDevice(device));
        must(on ? hipDeviceEnablePeerAccess(1 - device, 0)
                : hipDeviceDisablePeerAccess(1 - device));
    }
}

std::vector<int> counted(int factor) {
    std::vector<int> values(numbers);
    for (int i = 0; i < numbers; i++) values[static_cast<size_t>(i)] = i * factor;
    return values;
}

// Returns what the buffer holds.
std::vector<int> contents(const int *memory) {
    std::vector<int> values(numbers);
    must(hipMemcpy(values.data(), memory, bytes, hipMemcpyDeviceToHost));
    return values;
}

} // namespace

int main() {
    int count = 0, reachable = 0;
    hipStream_t stream;
    must(hipGetDeviceCount(&count));
    if (count > 1) must(hipDeviceCanAccessPeer(&reachable, 0, 1));
    if (!reachable) {
        printf("two devices that reach each other are needed\n");
        return 77;
    }
    set_peer_access(true);
    int *zero = buffer_of(0), *one = buffer_of(1);
    must(hipSetDevice(0));
    must(hipStreamCreate(&stream));

    must(hipMemcpy(zero, counted(1).data(), bytes, hipMemcpyHostToDevice));
    must(hipMemcpyPeer(one, 1, zero, 0, bytes));
    must(hipSetDevice(1));
    expect(contents(one) == counted(1));

    hipLaunchKernelGGL(twice, dim3(numbers / 256), dim3(256), 0, nullptr, zero, one, numbers);
    must(hipGetLastError());
    must(hipDeviceSynchronize());
    must(hipMemcpyPeerAsync(zero, 0, one, 1, bytes, stream));
    must(hipStreamSynchronize(stream));
    must(hipSetDevice(0));
    expect(contents(zero) == counted(2));

    must(hipMemcpy(one, zero, bytes, hipMemcpyDefault));
    must(hipDeviceSynchronize());
    expect(contents(one) == counted(2));

    must(hipFree(zero));
    must(hipFree(one));
    must(hipStreamDestroy(stream));
    set_peer_access(false);
    printf("%zu bytes went to the peer and back\n", bytes);
    return 0;
}
