// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels: a sort that parts a range and leaves both halves to further kernels. The
// copy behind the first kernel waits for all of them.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__device__ void exchange(int *a, int *b) {
    const int before = *a;
    *a = *b;
    *b = before;
}

__global__ void sort_range(int *data, int first, int last) {
    if (last - first < 8) {
        for (int i = first + 1; i < last; i++)
            for (int k = i; k > first && data[k] < data[k - 1]; k--)
                exchange(data + k, data + k - 1);
        return;
    }
    const int pivot = data[(first + last) / 2];
    int low = first, high = last - 1;
    while (low <= high) {
        while (data[low] < pivot) low++;
        while (data[high] > pivot) high--;
        if (low <= high) exchange(data + low++, data + high--);
    }
    if (first < high + 1) sort_range<<<1, 1>>>(data, first, high + 1);
    if (low < last) sort_range<<<1, 1>>>(data, low, last);
}

__global__ void add_by_child(int *data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1000000; }

__global__ void launch_each(int *data) {
    if (threadIdx.x == 0) add_by_child<<<2, 25>>>(data + 50 * blockIdx.x);
}

// By the address of the kernel. A cooperative launch is refused.
__global__ void launch_by_address(int *data, cudaError_t *errors) {
    void *arguments[] = {&data};
    const void *kernel = reinterpret_cast<const void *>(add_by_child);
    errors[0] = cudaLaunchKernel(kernel, dim3(2), dim3(25), arguments, 0, 0);
    errors[1] = cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(25), arguments, 0, 0);
}

// The copy is in the stream before the kernel begins.
bool is_copied_after_children() {
    std::atomic<bool> may_begin(false);
    const size_t count = 50, bytes = count * sizeof(int);
    cudaError_t *errors = nullptr;
    int *data = nullptr, *got = nullptr;
    cudaMalloc(&data, bytes);
    cudaMallocHost(&got, bytes);
    cudaMallocManaged(&errors, 2 * sizeof *errors);
    cudaMemset(data, 0, bytes);
    cudaLaunchHostFunc(
        0,
        [](void *flag) {
            while (!static_cast<std::atomic<bool> *>(flag)->load()) std::this_thread::yield();
        },
        &may_begin);
    launch_by_address<<<1, 1>>>(data, errors);
    cudaMemcpyAsync(got, data, bytes, cudaMemcpyDeviceToHost, 0);
    may_begin = true;
    bool is_right = cudaDeviceSynchronize() == cudaSuccess && errors[0] == cudaSuccess &&
                    errors[1] == cudaErrorNotSupported;
    for (size_t i = 0; i < count; i++) is_right = is_right && got[i] == 1000000;
    cudaFree(data);
    cudaFreeHost(got);
    cudaFree(errors);
    return is_right;
}

int main() {
    std::vector<int> host(500), got(500);
    unsigned random = 1;
    for (int &x : host) x = (random = random * 1664525 + 1013904223) >> 16;
    int *data = nullptr;
    const size_t bytes = host.size() * sizeof(int);
    if (cudaMalloc(&data, bytes) != cudaSuccess) return 77;
    if (!is_copied_after_children()) return std::printf("a kernel by its address\n"), 1;
    cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice);
    sort_range<<<1, 1>>>(data, 0, static_cast<int>(host.size()));
    launch_each<<<10, 32>>>(data);
    const cudaError_t error = cudaMemcpy(got.data(), data, bytes, cudaMemcpyDeviceToHost);
    cudaFree(data);
    std::sort(host.begin(), host.end());
    for (int &x : host) x += 1000000;
    if (error != cudaSuccess || got != host) std::printf("%s\n", cudaGetErrorString(error));
    return error != cudaSuccess || got != host;
}
