// SPDX-License-Identifier: Apache-2.0
// Kernels as samples have them: a tiled product of matrices, a histogram, a scan and a reduction,
// launched on two streams and checked on the CPU.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <vector>

#include "support/sample.h"

namespace {

constexpr int tile = 16;
constexpr int side = 48;
constexpr int numbers = 1 << 12;
constexpr int bins = 32;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    __shared__ float rows[tile][tile];
    __shared__ float columns[tile][tile];
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.y) * tile + y;
    const int column = static_cast<int>(blockIdx.x) * tile + x;
    float sum = 0;
    for (int step = 0; step < n; step += tile) {
        rows[y][x] = a[row * n + step + x];
        columns[y][x] = b[(step + y) * n + column];
        __syncthreads();
        for (int k = 0; k < tile; k++) sum += rows[y][k] * columns[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void count(const int *values, unsigned *counts) {
    HIP_DYNAMIC_SHARED(unsigned, own)
    if (threadIdx.x < bins) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&own[values[blockIdx.x * blockDim.x + threadIdx.x] % bins], 1u);
    __syncthreads();
    if (threadIdx.x < bins) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// Sums up each block; the warps first, by shuffles.
__global__ void scan(const int *values, int *sums, int *total) {
    __shared__ int of_warps[1024 / warpSize];
    auto warp =
        cooperative_groups::tiled_partition<warpSize>(cooperative_groups::this_thread_block());
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = values[i];
    for (unsigned step = 1; step < warp.size(); step *= 2) {
        int before = warp.shfl_up(sum, step);
        if (warp.thread_rank() >= step) sum += before;
    }
    if (warp.thread_rank() == warp.size() - 1) of_warps[warp.meta_group_rank()] = sum;
    __syncthreads();
    for (unsigned w = 0; w < warp.meta_group_rank(); w++) sum += of_warps[w];
    sums[i] = sum;
    if (threadIdx.x == blockDim.x - 1) atomicAdd(total, sum);
}

template <typename T> T *upload(const std::vector<T> &values, hipStream_t stream) {
    T *memory = nullptr;
    must(hipMalloc(reinterpret_cast<void **>(&memory), values.size() * sizeof(T)));
    must(hipMemcpyAsync(memory, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice,
                        stream));
    return memory;
}

template <typename T> std::vector<T> download(const T *memory, size_t size, hipStream_t stream) {
    std::vector<T> values(size);
    must(hipMemcpyAsync(values.data(), memory, size * sizeof(T), hipMemcpyDeviceToHost, stream));
    must(hipStreamSynchronize(stream));
    return values;
}

void test_multiply(hipStream_t stream) {
    std::vector<float> a(side * side), b(side * side), zero(side * side);
    for (size_t i = 0; i < a.size(); i++) {
        a[i] = static_cast<float>(i % 7);
        b[i] = static_cast<float>(i % 5);
    }
    float *x = upload(a, stream), *y = upload(b, stream), *z = upload(zero, stream);
    hipLaunchKernelGGL(multiply, dim3(side / tile, side / tile), dim3(tile, tile), 0, stream, x, y,
                       z, side);
    must(hipGetLastError());
    const std::vector<float> c = download(z, zero.size(), stream);
    for (size_t row = 0; row < side; row++) {
        for (size_t column = 0; column < side; column++) {
            float sum = 0;
            for (size_t k = 0; k < side; k++) sum += a[row * side + k] * b[k * side + column];
            expect(c[row * side + column] == sum);
        }
    }
    for (float *memory : {x, y, z}) must(hipFree(memory));
}

void test_count_and_scan(hipStream_t stream) {
    std::vector<int> values(numbers);
    std::vector<unsigned> want(bins);
    int sum = 0;
    for (size_t i = 0; i < values.size(); i++) {
        values[i] = static_cast<int>(i * i % 97);
        want[static_cast<size_t>(values[i] % bins)]++;
        sum += values[i];
    }
    int *in = upload(values, stream), *out = upload(values, stream);
    int *total = upload(std::vector<int>(1), stream);
    unsigned *counts = upload(std::vector<unsigned>(bins), stream);
    hipLaunchKernelGGL(count, numbers / 256, 256, bins * sizeof(unsigned), stream, in, counts);
    hipLaunchKernelGGL(scan, numbers / 512, 512, 0, stream, in, out, total);
    must(hipGetLastError());
    expect(download(counts, bins, stream) == want);
    expect(download(total, 1, stream)[0] == sum);
    const std::vector<int> sums = download(out, numbers, stream);
    for (size_t i = 1; i < numbers; i++)
        expect(sums[i] == values[i] + (i % 512 == 0 ? 0 : sums[i - 1]));
    for (int *memory : {in, out, total}) must(hipFree(memory));
    must(hipFree(counts));
}

} // namespace

int main() {
    hipStream_t streams[2];
    for (hipStream_t &stream : streams) must(hipStreamCreate(&stream));
    for (hipStream_t stream : streams) {
        test_multiply(stream);
        test_count_and_scan(stream);
    }
    for (hipStream_t stream : streams) must(hipStreamDestroy(stream));
    printf("all results are right\n");
    return 0;
}
