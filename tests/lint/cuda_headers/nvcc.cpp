// SPDX-License-Identifier: Apache-2.0
// Headers and templates that those of NVIDIA have for nvcc alone.
#include <cuda_runtime.h>

#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

static void stub(int *, float) {}

struct wrapped {
    int x;
};

int main() {
    int number = 0;
    size_t size = 0;
    float *floats = nullptr;
    const char *name = nullptr;
    cudaLaunchConfig_t config = {};
    cudaFunction_t function = nullptr;
    cudaKernel_t kernel = nullptr;
    cudaLibrary_t library = nullptr;
    cudaUserObject_t object = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraph_t graph = nullptr;
    if (cudaGetDevice(&number) != cudaSuccess) return 77;
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&number, stub, 128, 0, 0);
    cudaOccupancyMaxPotentialBlockSize(&number, &number, stub);
    cudaOccupancyMaxPotentialBlockSizeWithFlags(&number, &number, stub, 0, 0, 0);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&number, &number, stub,
                                                   [](int threads) { return threads * 4; });
    cudaOccupancyAvailableDynamicSMemPerBlock(&size, stub, 1, 1);
    cudaOccupancyMaxActiveClusters(&number, stub, &config);
    cudaOccupancyMaxPotentialClusterSize(&number, stub, &config);
    cudaFuncSetCacheConfig(stub, cudaFuncCachePreferL1);
    cudaFuncGetName(&name, stub);
    cudaGetFuncBySymbol(&function, stub);
    cudaGetKernel(&kernel, stub);
    cudaLibraryGetGlobal(&floats, &size, library, "x");
    cudaLibraryGetManaged(&floats, &size, library, "x");
    cudaUserObjectCreate(&object, new wrapped, 1, cudaUserObjectNoDestructorSync);
    return cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0) == cudaSuccess;
}
