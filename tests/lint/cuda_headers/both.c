// SPDX-License-Identifier: Apache-2.0
// A program of both APIs: streams, pools, graphs and addresses of one are those of the other.
#include <cuda.h>
#include <cuda_runtime_api.h>

int main(void) {
    cudaStream_t stream;
    cudaMemPool_t pool;
    cudaGraph_t graph;
    cudaUUID_t uuid;
    void *pointer = NULL;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return 77;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMallocAsync(&pointer, 1, stream);
    cuMemFreeAsync((CUdeviceptr)(uintptr_t)pointer, stream);
    cuMemPoolTrimTo(pool, 0);
    cuDeviceGetUuid(&uuid, 0);
    cuGraphCreate(&graph, 0);
    cudaGraphDestroy(graph);
    return (int)cuStreamSynchronize(stream) + (int)cudaStreamDestroy(stream);
}
