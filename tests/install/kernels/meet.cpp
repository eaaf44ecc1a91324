// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads wait for each other, for kernel_sanitizers.sh. With an argument, one of them
// has a bug.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr int threads = 128;
constexpr int blocks = 20;

__global__ void reverse(int *numbers) {
    HIP_DYNAMIC_SHARED(int, copy)
    int *own = numbers + blockIdx.x * blockDim.x;
    char local[64];
    memset(local, static_cast<int>(threadIdx.x), sizeof local);
    copy[threadIdx.x] = own[threadIdx.x];
    __syncthreads();
    own[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x] + local[63] - local[0];
}

__global__ void sum(const int *numbers, int *total) {
    int own = numbers[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = warpSize / 2; step > 0; step /= 2)
        own += __shfl_down(own, static_cast<unsigned>(step));
    if (__lane_id() == 0) atomicAdd(total, own);
}

__global__ void leave_early() {
    volatile char local[32];
    local[0] = 1;
    if (threadIdx.x % 2 == 0) __syncthreads();
}

__global__ void overrun() {
    HIP_DYNAMIC_SHARED(int, copy)
    copy[threadIdx.x + 1] = 1; // BUG
}

void add_one(int *number) {
    ++*number; // BUG: blocks run at the same time
}

// The pause lets another CPU take a block, too.
__global__ void add(int *number) {
    if (threadIdx.x == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    add_one(number);
}

int run(int *numbers, int *total) {
    std::vector<int> host(blocks * threads);
    int want = 0;
    int got = 0;
    for (size_t i = 0; i < host.size(); i++) want += host[i] = static_cast<int>(i % 13);
    (void)hipMemcpy(numbers, host.data(), host.size() * sizeof(int), hipMemcpyHostToDevice);
    (void)hipMemset(total, 0, sizeof *total);
    hipLaunchKernelGGL(reverse, blocks, threads, threads * sizeof(int), nullptr, numbers);
    hipLaunchKernelGGL(sum, blocks, threads, 0, nullptr, numbers, total);
    (void)hipMemcpy(&got, total, sizeof got, hipMemcpyDeviceToHost);
    return got == want ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
    int *numbers = nullptr;
    hipStream_t stream = nullptr;
    if (hipMalloc(&numbers, (blocks * threads + 1) * sizeof(int)) != hipSuccess) return 1;
    int *total = numbers + blocks * threads;
    for (int i = 0; i < 3; i++) {
        if (run(numbers, total) != 0) return 1;
        if (hipStreamCreate(&stream) != hipSuccess) return 1;
        hipLaunchKernelGGL(leave_early, blocks, threads, 0, stream);
        if (hipStreamSynchronize(stream) != hipErrorLaunchFailure) return 1;
        if (hipStreamDestroy(stream) != hipSuccess) return 1;
    }
    if (argc > 1 && strcmp(argv[1], "overrun") == 0)
        hipLaunchKernelGGL(overrun, 1, threads, threads * sizeof(int), nullptr);
    if (argc > 1 && strcmp(argv[1], "race") == 0)
        hipLaunchKernelGGL(add, 100, threads, 0, nullptr, total);
    if (hipDeviceSynchronize() != hipSuccess || hipFree(numbers) != hipSuccess) return 1;
    printf("no bug\n");
    return 0;
}
