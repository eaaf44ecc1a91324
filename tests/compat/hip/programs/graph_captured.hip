// SPDX-License-Identifier: Apache-2.0
// Two streams become a graph with a fork and a join, which is launched ten times. Then the program
// finds the join by its kernel, and changes an argument of it.
#include "check.h"

__global__ void add(int *p, int what, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += what;
}

__global__ void join(const int *a, const int *b, int *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += a[i] * b[i];
}

int main() {
    const int n = 1000, blocks = (n + 127) / 128;
    hipStream_t first, second;
    hipEvent_t fork, joined;
    hipGraph_t graph;
    hipGraphExec_t exec;
    device_array<int> a(n), b(n), sum(n);
    a.clear(), b.clear(), sum.clear();
    HIP_CHECK(hipStreamCreate(&first));
    HIP_CHECK(hipStreamCreate(&second));
    HIP_CHECK(hipEventCreate(&fork));
    HIP_CHECK(hipEventCreate(&joined));
    HIP_CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
    HIP_CHECK(hipEventRecord(fork, first));
    HIP_CHECK(hipStreamWaitEvent(second, fork, 0));
    add<<<blocks, 128, 0, first>>>(a.get(), 1, n);
    add<<<blocks, 128, 0, second>>>(b.get(), 2, n);
    HIP_CHECK(hipEventRecord(joined, second));
    HIP_CHECK(hipStreamWaitEvent(first, joined, 0));
    join<<<blocks, 128, 0, first>>>(a.get(), b.get(), sum.get(), n);
    HIP_CHECK(hipStreamEndCapture(first, &graph));
    HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int i = 0; i < 10; i++) HIP_CHECK(hipGraphLaunch(exec, first));
    HIP_CHECK(hipStreamSynchronize(first));
    int wanted = 0;
    for (int k = 1; k <= 10; k++) wanted += k * 2 * k;
    for (int got : sum.download()) EXPECT(got == wanted);
    hipGraphNode_t nodes[3];
    hipKernelNodeParams params;
    size_t count = 3;
    HIP_CHECK(hipGraphGetNodes(graph, nodes, &count));
    EXPECT(count == 3);
    for (hipGraphNode_t node : nodes) {
        HIP_CHECK(hipGraphKernelNodeGetParams(node, &params));
        if (params.func != (void *)join) continue;
        int half = n / 2;
        EXPECT(params.blockDim.x == 128 && *(int **)params.kernelParams[2] == sum.get());
        params.kernelParams[3] = &half;
        HIP_CHECK(hipGraphExecKernelNodeSetParams(exec, node, &params));
    }
    HIP_CHECK(hipGraphLaunch(exec, first));
    HIP_CHECK(hipStreamSynchronize(first));
    const std::vector<int> got = sum.download();
    for (int i = 0; i < n; i++) EXPECT(got[i] == wanted + (i < n / 2 ? 11 * 22 : 0));
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
    HIP_CHECK(hipEventDestroy(fork));
    HIP_CHECK(hipEventDestroy(joined));
    HIP_CHECK(hipStreamDestroy(first));
    HIP_CHECK(hipStreamDestroy(second));
}
