// SPDX-License-Identifier: Apache-2.0
// Stream-ordered memory: blocks of the device's pool and of a pool of the program's own, reuse within a
// stream and between streams, the figures of a pool, and what it gives back.
#include <cstdint>

#include <hip/hip_runtime.h>

#include "support/sample.h"

namespace {

constexpr int numbers = 1 << 16;
constexpr size_t bytes = numbers * sizeof(int);

__global__ void count_up(int *values, int count, int from) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) values[i] = from + i;
}

uint64_t figure(hipMemPool_t pool, hipMemPoolAttr which) {
    uint64_t value = 0;
    must(hipMemPoolGetAttribute(pool, which, &value));
    return value;
}

// Each round takes a block, works in it, and gives it back without waiting for the work.
void use_default_pool(hipStream_t stream) {
    int sum = 0, *host = nullptr, *first = nullptr;
    must(hipHostMalloc(reinterpret_cast<void **>(&host), bytes, hipHostMallocDefault));
    for (int round = 0; round < 8; round++) {
        int *block = nullptr;
        must(hipMallocAsync(reinterpret_cast<void **>(&block), bytes, stream));
        first = round == 0 ? block : first;
        expect(block == first); // the block that the same stream has just freed
        hipLaunchKernelGGL(count_up, dim3(numbers / 256), dim3(256), 0, stream, block, numbers,
                           round);
        must(hipGetLastError());
        must(hipMemcpyAsync(host, block, bytes, hipMemcpyDeviceToHost, stream));
        must(hipFreeAsync(block, stream));
        must(hipStreamSynchronize(stream));
        sum += host[numbers - 1] - (numbers - 1);
    }
    expect(sum == 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7);
    must(hipHostFree(host));
}

hipMemPool_t make_pool(int device) {
    hipMemPoolProps properties = {};
    hipMemPool_t pool = nullptr;
    uint64_t keep = UINT64_MAX;
    properties.allocType = hipMemAllocationTypePinned;
    properties.handleTypes = hipMemHandleTypeNone;
    properties.location.type = hipMemLocationTypeDevice;
    properties.location.id = device;
    must(hipMemPoolCreate(&pool, &properties));
    must(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
    return pool;
}

// A block made in one stream, used and freed in another that waits for it.
void use_own_pool(int device, hipStream_t one, hipStream_t two) {
    hipMemPool_t pool = make_pool(device);
    hipEvent_t made;
    int *block = nullptr, last = -1;
    must(hipEventCreateWithFlags(&made, hipEventDisableTiming));
    must(hipMallocFromPoolAsync(reinterpret_cast<void **>(&block), bytes, pool, one));
    hipLaunchKernelGGL(count_up, dim3(numbers / 256), dim3(256), 0, one, block, numbers, 7);
    must(hipGetLastError());
    must(hipEventRecord(made, one));
    must(hipStreamWaitEvent(two, made, 0));
    must(hipMemcpyAsync(&last, block + numbers - 1, sizeof last, hipMemcpyDeviceToHost, two));
    expect(figure(pool, hipMemPoolAttrUsedMemCurrent) >= bytes);
    must(hipFreeAsync(block, two));
    must(hipStreamSynchronize(two));
    expect(last == 7 + numbers - 1);

    expect(figure(pool, hipMemPoolAttrUsedMemCurrent) == 0);
    expect(figure(pool, hipMemPoolAttrUsedMemHigh) >= bytes);
    uint64_t kept = figure(pool, hipMemPoolAttrReservedMemCurrent);
    expect(kept >= bytes); // the threshold keeps it
    must(hipMemPoolTrimTo(pool, 0));
    printf("the pool kept %llu bytes, and %llu after it was trimmed\n",
           static_cast<unsigned long long>(kept),
           static_cast<unsigned long long>(figure(pool, hipMemPoolAttrReservedMemCurrent)));
    expect(figure(pool, hipMemPoolAttrReservedMemCurrent) == 0);
    must(hipMemPoolDestroy(pool));
    must(hipEventDestroy(made));
}

} // namespace

int main() {
    int device = 0, supported = 0;
    hipStream_t one, two;
    must(hipGetDevice(&device));
    must(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, device));
    if (!supported) {
        printf("memory pools are needed\n");
        return 77;
    }
    must(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&two, hipStreamNonBlocking));
    use_default_pool(one);
    use_own_pool(device, one, two);
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(two));
    return 0;
}
