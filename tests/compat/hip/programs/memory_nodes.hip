// SPDX-License-Identifier: Apache-2.0
// A graph that allocates its own temporary memory and frees it, at the same address in each launch.
#include "check.h"

#include <cstdint>

__global__ void fill(int *p, int what) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = what + threadIdx.x;
}

__global__ void accumulate(const int *p, int *sum) {
    atomicAdd(sum, p[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    int n = 256, what = 3;
    device_array<int> sum(1);
    sum.clear();
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t allocated, filled, added, freed;
    hipMemAllocNodeParams memory = {};
    memory.poolProps.allocType = hipMemAllocationTypePinned;
    memory.poolProps.location = {hipMemLocationTypeDevice, 0};
    memory.bytesize = n * sizeof(int);
    HIP_CHECK(hipGraphCreate(&graph, 0));
    HIP_CHECK(hipGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
    EXPECT(memory.dptr != nullptr);
    int *p = static_cast<int *>(memory.dptr), *ps = sum.get();
    void *fill_arguments[] = {&p, &what}, *sum_arguments[] = {&p, &ps};
    hipKernelNodeParams params = {};
    params.func = (void *)fill;
    params.gridDim = dim3(n / 64);
    params.blockDim = dim3(64);
    params.kernelParams = fill_arguments;
    HIP_CHECK(hipGraphAddKernelNode(&filled, graph, &allocated, 1, &params));
    params.func = (void *)accumulate;
    params.kernelParams = sum_arguments;
    HIP_CHECK(hipGraphAddKernelNode(&added, graph, &filled, 1, &params));
    HIP_CHECK(hipGraphAddMemFreeNode(&freed, graph, &added, 1, p));
    HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    uint64_t used = 1;
    for (int i = 0; i < 5; i++) {
        HIP_CHECK(hipGraphLaunch(exec, nullptr));
        HIP_CHECK(hipStreamSynchronize(nullptr));
        HIP_CHECK(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
        EXPECT(used == 0);
    }
    EXPECT(sum.download()[0] == 5 * (n * what + n / 64 * (63 * 64 / 2)));
    HIP_CHECK(hipDeviceGraphMemTrim(0));
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
}
