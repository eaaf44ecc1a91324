// SPDX-License-Identifier: Apache-2.0
// Headers and templates that those of NVIDIA have for nvcc alone.
#include <cuda_runtime.h>

#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>

#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/cassert>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

static void stub(int *, float) {}

struct wrapped {
    cuda::std::int32_t x;
};
static_assert(cuda::std::is_same<decltype(wrapped::x), int>::value, "an integer");

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
