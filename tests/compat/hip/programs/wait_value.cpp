// SPDX-License-Identifier: Apache-2.0
// Two streams pass a buffer to and fro by words in memory, which one writes and the other waits for; no
// event is used. At last a stream waits for a word of pinned memory that the CPU sets.
#include <atomic>
#include <cstdint>

#include <hip/hip_runtime.h>

#include "support/sample.h"

namespace {

constexpr int numbers = 1 << 14, rounds = 16;
constexpr size_t bytes = numbers * sizeof(int);

__global__ void set_to(int *values, int count, int what) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) values[i] = what + i;
}

void pass_buffer(hipStream_t ping, hipStream_t pong) {
    int *buffer = nullptr, *copies = nullptr;
    uint64_t *words = nullptr;
    must(hipMalloc(reinterpret_cast<void **>(&buffer), bytes));
    must(hipMalloc(reinterpret_cast<void **>(&words), 2 * sizeof *words));
    must(hipHostMalloc(reinterpret_cast<void **>(&copies), rounds * bytes, hipHostMallocDefault));
    must(hipMemset(words, 0, 2 * sizeof *words));
    must(hipDeviceSynchronize());
    for (unsigned round = 1; round <= rounds; round++) {
        must(
            hipStreamWaitValue64(ping, words + 1, round - 1, hipStreamWaitValueGte)); // it was read
        hipLaunchKernelGGL(set_to, dim3(numbers / 256), dim3(256), 0, ping, buffer, numbers,
                           static_cast<int>(round));
        must(hipGetLastError());
        must(hipStreamWriteValue64(ping, words, round, 0));
        must(hipStreamWaitValue64(pong, words, round, hipStreamWaitValueEq)); // it is written
        must(hipMemcpyAsync(copies + (round - 1) * numbers, buffer, bytes, hipMemcpyDeviceToHost,
                            pong));
        must(hipStreamWriteValue64(pong, words + 1, round, 0));
    }
    must(hipStreamSynchronize(pong));
    must(hipStreamSynchronize(ping));
    for (int i = 0; i < rounds * numbers; i++) expect(copies[i] == i / numbers + 1 + i % numbers);
    must(hipFree(buffer));
    must(hipFree(words));
    must(hipHostFree(copies));
}

void wait_for_cpu(hipStream_t stream) {
    std::atomic<uint32_t> *word = nullptr;
    must(hipHostMalloc(reinterpret_cast<void **>(&word), sizeof *word, hipHostMallocDefault));
    word->store(0);
    must(hipStreamWaitValue32(stream, word, 0x5, hipStreamWaitValueAnd, 0xF));
    expect(hipStreamQuery(stream) == hipErrorNotReady);
    word->store(0xF2); // not these bits
    expect(hipStreamQuery(stream) == hipErrorNotReady);
    word->store(0x4);
    must(hipStreamSynchronize(stream));
    must(hipStreamWriteValue32(stream, word, 42, 0));
    must(hipStreamSynchronize(stream));
    expect(word->load() == 42);
    must(hipHostFree(word));
}

} // namespace

int main() {
    int device = 0, supported = 0;
    hipStream_t ping, pong;
    must(hipGetDevice(&device));
    must(hipDeviceGetAttribute(&supported, hipDeviceAttributeCanUseStreamWaitValue, device));
    expect(supported);
    must(hipStreamCreateWithFlags(&ping, hipStreamNonBlocking));
    must(hipStreamCreateWithFlags(&pong, hipStreamNonBlocking));
    pass_buffer(ping, pong);
    wait_for_cpu(ping);
    must(hipStreamDestroy(ping));
    must(hipStreamDestroy(pong));
    printf("%d rounds\n", rounds);
    return 0;
}
