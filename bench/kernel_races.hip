// SPDX-License-Identifier: Apache-2.0
// The time of launches under `tarn check --kernel-races`: kernel_races.sh compiles and runs this program.
// Prints the median over rounds, in microseconds for each launch, with one wait at the end of a round.
//
//   kernel_races THREADS BLOCKS LAUNCHES
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

constexpr int rounds = 7;

__global__ void increment(int *numbers) { numbers[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

static void need(hipError_t error) {
    if (error == hipSuccess) return;
    (void)fprintf(stderr, "kernel_races: %s\n", hipGetErrorString(error));
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        (void)fprintf(stderr, "usage: kernel_races THREADS BLOCKS LAUNCHES\n");
        return 2;
    }
    const unsigned threads = strtoul(argv[1], nullptr, 10);
    const unsigned blocks = strtoul(argv[2], nullptr, 10);
    const int launches = atoi(argv[3]);
    const size_t bytes = size_t(threads) * blocks * sizeof(int);
    double used[rounds];
    int *numbers = nullptr;
    hipStream_t stream = nullptr;
    need(hipMalloc(&numbers, bytes));
    need(hipMemset(numbers, 0, bytes));
    need(hipStreamCreate(&stream));
    for (double &round : used) {
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < launches; i++) increment<<<blocks, threads, 0, stream>>>(numbers);
        need(hipGetLastError());
        need(hipStreamSynchronize(stream));
        const std::chrono::duration<double, std::micro> time =
            std::chrono::steady_clock::now() - begin;
        round = time.count() / launches;
    }
    std::sort(used, used + rounds);
    printf("%.1f\n", used[rounds / 2]);
    need(hipStreamDestroy(stream));
    need(hipFree(numbers));
    return 0;
}
