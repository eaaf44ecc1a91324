// SPDX-License-Identifier: Apache-2.0
// Four streams, each with copies and kernels of its own; an event joins them, and two give the
// time.
#include "check.h"

__global__ void square(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= p[i];
}

__global__ void sum_all(const int *p, long long *sum, int n) {
    long long own = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own += p[i];
    atomicAdd(reinterpret_cast<unsigned long long *>(sum), static_cast<unsigned long long>(own));
}

int main() {
    constexpr int streams = 4, part = 5000, n = streams * part;
    hipStream_t stream[streams];
    hipEvent_t done[streams], begin, end;
    int *host;
    HIP_CHECK(hipHostMalloc(&host, n * sizeof(int)));
    long long wanted = 0, got = 0;
    for (int i = 0; i < n; i++) host[i] = i % 100, wanted += host[i] * host[i];
    device_array<int> data(n);
    device_array<long long> sum(1);
    sum.clear();
    HIP_CHECK(hipDeviceSynchronize()); // the null stream does not come before the streams below
    HIP_CHECK(hipEventCreate(&begin));
    HIP_CHECK(hipEventCreate(&end));
    HIP_CHECK(hipEventRecord(begin));
    for (int s = 0; s < streams; s++) {
        int *own = data.get() + s * part;
        HIP_CHECK(hipStreamCreateWithFlags(&stream[s], hipStreamNonBlocking));
        HIP_CHECK(hipEventCreateWithFlags(&done[s], hipEventDisableTiming));
        HIP_CHECK(hipMemcpyAsync(own, host + s * part, part * sizeof(int), hipMemcpyHostToDevice,
                                 stream[s]));
        square<<<(part + 127) / 128, 128, 0, stream[s]>>>(own, part);
        HIP_CHECK(hipEventRecord(done[s], stream[s]));
    }
    for (int s = 1; s < streams; s++) HIP_CHECK(hipStreamWaitEvent(stream[0], done[s], 0));
    sum_all<<<1, 64, 0, stream[0]>>>(data.get(), sum.get(), n);
    HIP_CHECK(hipMemcpyAsync(&got, sum.get(), sizeof got, hipMemcpyDeviceToHost, stream[0]));
    HIP_CHECK(hipStreamSynchronize(stream[0]));
    EXPECT(got == wanted);
    HIP_CHECK(hipEventRecord(end));
    HIP_CHECK(hipEventSynchronize(end));
    float time = -1;
    HIP_CHECK(hipEventElapsedTime(&time, begin, end));
    EXPECT(time >= 0);
    for (int s = 0; s < streams; s++) {
        HIP_CHECK(hipEventDestroy(done[s]));
        HIP_CHECK(hipStreamDestroy(stream[s]));
    }
    HIP_CHECK(hipEventDestroy(begin));
    HIP_CHECK(hipEventDestroy(end));
    HIP_CHECK(hipHostFree(host));
}
