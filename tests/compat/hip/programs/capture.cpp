// SPDX-License-Identifier: Apache-2.0
// A graph captured from two streams: a copy to the device, two kernels beside each other, their sum, a
// copy back and a function of the CPU. It is launched several times with other input.
#include <vector>

#include <hip/hip_runtime.h>

#include "support/sample.h"

namespace {

constexpr int numbers = 1 << 14, launches = 5;
constexpr size_t bytes = numbers * sizeof(int);

__global__ void times(const int *from, int *to, int factor, int count) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = from[i] * factor;
}

__global__ void add(const int *from, int *to, int count) {
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] += from[i];
}

struct work {
    int *host;              // pinned: input, then output
    int *input, *one, *two; // on the device
    hipStream_t main, side;
    hipEvent_t forked, joined;
    int finished; // launches
};

void count_launch(void *data) { static_cast<work *>(data)->finished++; }

hipGraph_t capture(work &w) {
    hipGraph_t graph = nullptr;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    dim3 grid(numbers / 256), block(256);
    must(hipStreamBeginCapture(w.main, hipStreamCaptureModeGlobal));
    must(hipMemcpyAsync(w.input, w.host, bytes, hipMemcpyHostToDevice, w.main));
    must(hipEventRecord(w.forked, w.main));
    must(hipStreamWaitEvent(w.side, w.forked, 0));
    must(hipStreamIsCapturing(w.side, &status));
    expect(status == hipStreamCaptureStatusActive);
    hipLaunchKernelGGL(times, grid, block, 0, w.main, w.input, w.one, 3, numbers);
    hipLaunchKernelGGL(times, grid, block, 0, w.side, w.input, w.two, 4, numbers);
    must(hipGetLastError());
    must(hipEventRecord(w.joined, w.side));
    must(hipStreamWaitEvent(w.main, w.joined, 0));
    hipLaunchKernelGGL(add, grid, block, 0, w.main, w.two, w.one, numbers);
    must(hipGetLastError());
    must(hipMemcpyAsync(w.host, w.one, bytes, hipMemcpyDeviceToHost, w.main));
    must(hipLaunchHostFunc(w.main, count_launch, &w));
    must(hipStreamEndCapture(w.main, &graph));
    return graph;
}

void expect_nodes(hipGraph_t graph) {
    size_t count = 0;
    must(hipGraphGetNodes(graph, nullptr, &count));
    std::vector<hipGraphNode_t> nodes(count);
    must(hipGraphGetNodes(graph, nodes.data(), &count));
    int kinds[16] = {};
    for (hipGraphNode_t node : nodes) {
        hipGraphNodeType type = hipGraphNodeTypeEmpty;
        must(hipGraphNodeGetType(node, &type));
        kinds[type]++;
    }
    expect(kinds[hipGraphNodeTypeKernel] == 3 && kinds[hipGraphNodeTypeMemcpy] == 2);
    expect(kinds[hipGraphNodeTypeHost] == 1 && count == 6);
}

void launch(work &w, hipGraphExec_t exec) {
    for (int round = 0; round < launches; round++) {
        for (int i = 0; i < numbers; i++) w.host[i] = i + round;
        must(hipGraphLaunch(exec, w.main));
        must(hipStreamSynchronize(w.main));
        for (int i = 0; i < numbers; i++) expect(w.host[i] == 7 * (i + round));
    }
    expect(w.finished == launches);
}

} // namespace

int main() {
    work w = {};
    hipGraphExec_t exec = nullptr;
    must(hipHostMalloc(reinterpret_cast<void **>(&w.host), bytes, hipHostMallocDefault));
    for (int **memory : {&w.input, &w.one, &w.two})
        must(hipMalloc(reinterpret_cast<void **>(memory), bytes));
    must(hipStreamCreate(&w.main));
    must(hipStreamCreateWithFlags(&w.side, hipStreamNonBlocking));
    must(hipEventCreateWithFlags(&w.forked, hipEventDisableTiming));
    must(hipEventCreateWithFlags(&w.joined, hipEventDisableTiming));

    hipGraph_t graph = capture(w);
    expect(w.finished == 0); // captured work has not run
    expect_nodes(graph);
    must(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    must(hipGraphDestroy(graph));
    launch(w, exec);
    must(hipGraphExecDestroy(exec));

    must(hipEventDestroy(w.forked));
    must(hipEventDestroy(w.joined));
    must(hipStreamDestroy(w.side));
    must(hipStreamDestroy(w.main));
    for (int *memory : {w.input, w.one, w.two}) must(hipFree(memory));
    must(hipHostFree(w.host));
    printf("%d launches\n", launches);
    return 0;
}
