// SPDX-License-Identifier: Apache-2.0
// A program of the runtime API that uses the conveniences of C++.
#include <cuda_runtime.h>

static __host__ __device__ int twice(int number) { return 2 * number; }
static int variable[4];
static void stub(int *, float) {}

int main() {
    float *floats = nullptr;
    void *bytes = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    cudaMemPool_t pool = nullptr;
    size_t pitch = 0;
    int number = 0;
    if (cudaMalloc(&floats, 16) != cudaSuccess) return 77;
    cudaMalloc(&bytes, 16);
    cudaMallocHost(&floats, 16);
    cudaMallocHost(&bytes, 16);
    cudaHostAlloc(&floats, 16, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&floats, bytes, 0);
    cudaMallocManaged(&floats, 16);
    cudaMallocPitch(&floats, &pitch, 4, 4);
    cudaMallocAsync(&floats, 16, stream);
    cudaMallocAsync(&bytes, 16, 0);
    cudaMallocAsync(&floats, 16, pool, 0);
    cudaMallocFromPoolAsync(&floats, 16, pool, stream);
    cudaStreamAttachMemAsync(stream, floats);
    cudaEventCreate(&event, cudaEventDisableTiming);
    cudaEventRecord(event);
    cudaMemcpyAsync(floats, bytes, 16, cudaMemcpyDefault);
    cudaMemcpyToSymbol(variable, bytes, 16);
    cudaMemcpyFromSymbolAsync(bytes, variable, 16, 0, cudaMemcpyDeviceToHost, 0);
    cudaGetSymbolAddress(&bytes, variable);
    void *arguments[] = {&floats, &number};
    cudaLaunchKernel(stub, dim3(1), dim3(1, 2), arguments, 0, stream);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    cudaLaunchKernelEx(&config, stub, &number, 1.0f);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(stub));
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, stub, 128, 0);
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float4>();
    const uint3 extent = dim3(1, 2, 3);
    return channels.w != 32 || extent.z != 3 || twice(1) != 2;
}
