// SPDX-License-Identifier: Apache-2.0
// Work in several streams: each copies its slice to the device, runs a kernel on it and copies it back.
// Then events: one that has not come yet, one that another stream waits for, and the time between two.
#include <atomic>

#include <hip/hip_runtime.h>

#include "support/sample.h"

namespace {

constexpr int streams = 4, slice = 1 << 16, numbers = streams * slice;
constexpr size_t slice_bytes = slice * sizeof(int);

__global__ void add(int *values, int count, int what) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) values[i] += what;
}

void launch_add(int *values, int what, hipStream_t stream) {
    hipLaunchKernelGGL(add, dim3(slice / 256), dim3(256), 0, stream, values, slice, what);
    must(hipGetLastError());
}

void run_slices() {
    hipStream_t stream[streams];
    int *host = nullptr, *device = nullptr;
    must(hipHostMalloc(reinterpret_cast<void **>(&host), numbers * sizeof(int),
                       hipHostMallocDefault));
    must(hipMalloc(reinterpret_cast<void **>(&device), numbers * sizeof(int)));
    for (int i = 0; i < numbers; i++) host[i] = i;
    for (int s = 0; s < streams; s++) {
        int at = s * slice;
        must(hipStreamCreateWithFlags(&stream[s], hipStreamNonBlocking));
        must(hipMemcpyAsync(device + at, host + at, slice_bytes, hipMemcpyHostToDevice, stream[s]));
        launch_add(device + at, s + 1, stream[s]);
        must(hipMemcpyAsync(host + at, device + at, slice_bytes, hipMemcpyDeviceToHost, stream[s]));
    }
    for (int s = 0; s < streams; s++) {
        must(hipStreamSynchronize(stream[s]));
        must(hipStreamDestroy(stream[s]));
    }
    for (int i = 0; i < numbers; i++) expect(host[i] == i + i / slice + 1);
    must(hipFree(device));
    must(hipHostFree(host));
}

void wait_for_gate(void *gate) {
    while (!static_cast<std::atomic<bool> *>(gate)->load()) usleep(100);
}

// The consumer's kernel comes after the producer's, which the host holds up.
void order_by_event() {
    std::atomic<bool> gate{false};
    hipStream_t producer, consumer;
    hipEvent_t produced, consumed;
    int *device = nullptr, first = 0;
    float ms = -1;
    must(hipStreamCreate(&producer));
    must(hipStreamCreate(&consumer));
    must(hipEventCreate(&produced));
    must(hipEventCreate(&consumed));
    must(hipMalloc(reinterpret_cast<void **>(&device), slice_bytes));
    must(hipMemset(device, 0, slice_bytes));
    must(hipDeviceSynchronize());

    must(hipLaunchHostFunc(producer, wait_for_gate, &gate));
    launch_add(device, 40, producer);
    must(hipEventRecord(produced, producer));
    must(hipStreamWaitEvent(consumer, produced, 0));
    launch_add(device, 2, consumer);
    must(hipEventRecord(consumed, consumer));
    expect(hipEventQuery(produced) == hipErrorNotReady);
    expect(hipStreamQuery(consumer) == hipErrorNotReady);
    gate.store(true);
    must(hipEventSynchronize(consumed));
    must(hipEventQuery(produced));
    must(hipEventElapsedTime(&ms, produced, consumed));
    must(hipMemcpy(&first, device, sizeof first, hipMemcpyDeviceToHost));
    printf("%d, %.3f ms after the producer\n", first, static_cast<double>(ms));
    expect(first == 42 && ms >= 0);

    must(hipFree(device));
    must(hipEventDestroy(produced));
    must(hipEventDestroy(consumed));
    must(hipStreamDestroy(producer));
    must(hipStreamDestroy(consumer));
}

} // namespace

int main() {
    run_slices();
    order_by_event();
    return 0;
}
