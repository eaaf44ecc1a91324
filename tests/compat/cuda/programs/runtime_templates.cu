// SPDX-License-Identifier: Apache-2.0
// The C++ half of cuda_runtime.h: kernels and pointers of any type, and the size of blocks.
#include <cuda_runtime.h>

#include <cstdio>

#define EXPECT(condition)                                                                          \
    if (!(condition)) {                                                                            \
        std::printf("%d: not true: %s\n", __LINE__, #condition);                                   \
        return 1;                                                                                  \
    }

__global__ void __launch_bounds__(256) scale(float *x, float by) { x[threadIdx.x] *= by; }

struct counted {
    int *left;
    ~counted() { --*left; }
};

int main() {
    int grid = 0, block = 0, small = 0, blocks = 0, left = 1;
    size_t shared = 0;
    cudaFuncAttributes attributes;
    if (cudaGetDevice(&block) != cudaSuccess) return 77;
    EXPECT(cudaFuncGetAttributes(&attributes, scale) == cudaSuccess);
    EXPECT(attributes.maxThreadsPerBlock == 256);
    EXPECT(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
               &grid, &block, scale, [](int threads) { return threads * 4; }) == cudaSuccess);
    EXPECT(block == 256 && grid > 0);
    EXPECT(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
               &grid, &small, scale, [](int threads) { return threads * 1024; }) == cudaSuccess);
    EXPECT(small > 0 && small < block); // shared memory is the limit
    EXPECT(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
               &grid, &small, scale, [](int) { return 0; }, 100, cudaOccupancyDefault) ==
           cudaSuccess);
    EXPECT(small == 100);
    EXPECT(cudaOccupancyMaxPotentialBlockSizeVariableSMem(static_cast<int *>(nullptr), &small,
                                                          scale, [](int) { return 0; }) ==
           cudaErrorInvalidValue);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, scale, 64, 0, 0) ==
               cudaSuccess &&
           blocks > 0);
    EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, scale, 1, 64) == cudaSuccess);
    const char *name = nullptr;
    EXPECT(cudaFuncGetName(&name, scale) == cudaSuccess && name != nullptr);
    cudaUserObject_t object = nullptr;
    EXPECT(cudaUserObjectCreate(&object, new counted{&left}, 1, cudaUserObjectNoDestructorSync) ==
           cudaSuccess);
    EXPECT(cudaUserObjectRelease(object) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && left == 0);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    char text[8] = "before";
    EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&exec, graph, nullptr, text, sizeof text) == cudaSuccess);
    EXPECT(text[0] == 0 && cudaGraphExecDestroy(exec) == cudaSuccess);
    EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
}
