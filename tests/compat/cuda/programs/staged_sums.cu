// SPDX-License-Identifier: Apache-2.0
// Sums of rows that are copied to shared memory in stages, with cuda::std and an address of shared memory
// as a number. The last row is short, and its end is filled with zeros.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <vector>

constexpr int threads = 32, stages = 3;

template <typename T> __global__ void sum_rows(const T *in, int rows, int last, T *sums) {
    static_assert(cuda::std::is_floating_point<T>::value, "a number");
    __shared__ T stage[stages][threads];
    T sum = 0;
    for (int row = 0; row < rows + stages - 1; row++) {
        if (row < rows) {
            const bool is_short = row == rows - 1 && static_cast<int>(threadIdx.x) >= last;
            __pipeline_memcpy_async(&stage[row % stages][threadIdx.x], in + row * threads + threadIdx.x,
                                    sizeof(T), is_short ? sizeof(T) : 0);
        }
        __pipeline_commit();
        __pipeline_wait_prior(stages - 1);
        if (row >= stages - 1) {
            const size_t address = __cvta_generic_to_shared(stage[(row - stages + 1) % stages]);
            sum += static_cast<const T *>(__cvta_shared_to_generic(address))[threadIdx.x];
        }
    }
    sums[threadIdx.x] = sum;
    if (threadIdx.x == 0) sums[threads] = cuda::std::numeric_limits<T>::max();
}

int main() {
    const int rows = 10, last = 20;
    std::vector<float> in(rows * threads), sums(threads + 1);
    for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<float>(i % 13);
    float *device_in = nullptr, *device_sums = nullptr;
    if (cudaMalloc(&device_in, in.size() * sizeof(float)) != cudaSuccess ||
        cudaMalloc(&device_sums, sums.size() * sizeof(float)) != cudaSuccess)
        return 1;
    cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
    sum_rows<<<1, threads>>>(device_in, rows, last, device_sums);
    if (cudaMemcpy(sums.data(), device_sums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost) !=
        cudaSuccess)
        return 1;
    for (int i = 0; i < threads; i++) {
        float expected = 0;
        for (int row = 0; row < rows - (i >= last); row++) expected += in[row * threads + i];
        if (sums[i] != expected) return std::printf("%d: %g, not %g\n", i, sums[i], expected), 1;
    }
    cudaFree(device_in);
    cudaFree(device_sums);
    return sums[threads] != std::numeric_limits<float>::max();
}
