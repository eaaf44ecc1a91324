// SPDX-License-Identifier: Apache-2.0
// Heat in a rod, by a graph that is built by hand: the graph allocates its scratch memory, copies the
// rod in, runs two steps in a child graph as often as it is launched, and copies the rod back. The
// same steps on the CPU give the same numbers.
#include <hip/hip_runtime.h>

#include <vector>

#include "support/sample.h"

namespace {

constexpr int cells = 256;
constexpr int launches = 20;
constexpr size_t bytes = cells * sizeof(float);

__global__ void step(const float *from, float *to, int count) {
    HIP_EXT_KERNEL((step));
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    float left = from[i > 0 ? i - 1 : i];
    float right = from[i < count - 1 ? i + 1 : i];
    to[i] = from[i] + 0.25f * (left - 2 * from[i] + right);
}

void step_on_cpu(const std::vector<float> &from, std::vector<float> &to) {
    for (int i = 0; i < cells; i++) {
        float left = from[static_cast<size_t>(i > 0 ? i - 1 : i)];
        float right = from[static_cast<size_t>(i < cells - 1 ? i + 1 : i)];
        float own = from[static_cast<size_t>(i)];
        to[static_cast<size_t>(i)] = own + 0.25f * (left - 2 * own + right);
    }
}

hipGraphNode_t add_step(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                        const float *from, float *to) {
    int size = cells;
    void *arguments[] = {&from, &to, &size};
    hipKernelNodeParams params = {};
    params.func = reinterpret_cast<void *>(step);
    params.gridDim = dim3(cells / 64);
    params.blockDim = dim3(64);
    params.kernelParams = arguments; // the node copies what they point to
    hipGraphNode_t node = nullptr;
    must(hipGraphAddKernelNode(&node, graph, before, count, &params));
    return node;
}

void count_launch(void *counter) { ++*static_cast<int *>(counter); }

// Allocates memory from here to the node that frees it.
hipGraphNode_t add_scratch(hipGraph_t graph, float **scratch) {
    hipMemAllocNodeParams params = {};
    params.poolProps.allocType = hipMemAllocationTypePinned;
    params.poolProps.location.type = hipMemLocationTypeDevice;
    params.bytesize = bytes;
    hipGraphNode_t node = nullptr;
    must(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    *scratch = static_cast<float *>(params.dptr);
    return node;
}

struct graph {
    hipGraphExec_t exec;
    int counted;
};

// One branch copies the rod in, the other allocates; a child graph has both steps.
void build(graph *g, float *rod, float *device) {
    hipGraph_t whole = nullptr, steps = nullptr;
    hipGraphNode_t node = nullptr, both[2] = {};
    float *scratch = nullptr;
    const hipHostNodeParams call = {count_launch, &g->counted};
    must(hipGraphCreate(&whole, 0));
    must(hipGraphCreate(&steps, 0));
    both[0] = add_scratch(whole, &scratch);
    must(hipGraphAddMemcpyNode1D(&both[1], whole, nullptr, 0, device, rod, bytes,
                                 hipMemcpyHostToDevice));
    node = add_step(steps, nullptr, 0, device, scratch);
    add_step(steps, &node, 1, scratch, device);
    must(hipGraphAddChildGraphNode(&node, whole, both, 2, steps));
    must(hipGraphAddMemFreeNode(&both[0], whole, &node, 1, scratch));
    must(hipGraphAddMemcpyNode1D(&both[1], whole, &node, 1, rod, device, bytes,
                                 hipMemcpyDeviceToHost));
    must(hipGraphAddHostNode(&node, whole, both, 2, &call));
    must(hipGraphInstantiate(&g->exec, whole, nullptr, nullptr, 0));
    must(hipGraphDestroy(steps));
    must(hipGraphDestroy(whole));
}

} // namespace

int main() {
    graph g = {};
    float *rod = nullptr, *device = nullptr;
    hipStream_t stream = nullptr;
    must(hipHostMalloc(reinterpret_cast<void **>(&rod), bytes, hipHostMallocDefault));
    must(hipMalloc(reinterpret_cast<void **>(&device), bytes));
    must(hipStreamCreate(&stream));
    std::vector<float> now(cells, 0.0f), next(cells, 0.0f);
    now[cells / 2] = 1000.0f;
    for (int i = 0; i < cells; i++) rod[i] = now[static_cast<size_t>(i)];
    build(&g, rod, device);
    for (int i = 0; i < launches; i++) must(hipGraphLaunch(g.exec, stream));
    must(hipStreamSynchronize(stream));
    for (int i = 0; i < launches; i++) {
        step_on_cpu(now, next);
        step_on_cpu(next, now);
    }
    for (int i = 0; i < cells; i++) {
        float difference = rod[i] - now[static_cast<size_t>(i)];
        expect(difference < 1e-3f && difference > -1e-3f);
    }
    expect(g.counted == launches);
    must(hipGraphExecDestroy(g.exec));
    must(hipStreamDestroy(stream));
    must(hipFree(device));
    must(hipHostFree(rod));
    printf("%d steps agree\n", 2 * launches);
    return 0;
}
