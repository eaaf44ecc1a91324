// SPDX-License-Identifier: Apache-2.0
// A graph of nodes: a copy, two kernels that may run beside each other, a kernel that joins them, a host
// function and a copy back. It is launched three times, once with changed arguments.
#include "check.h"

__global__ void add(int *p, int what, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += what;
}

__global__ void join(const int *a, const int *b, int *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + 1000 * b[i];
}

static void count(void *data) { ++*static_cast<int *>(data); }

int main() {
    int n = 300, one = 1, two = 2, ten = 10, calls = 0;
    std::vector<int> host(n), result(n);
    for (int i = 0; i < n; i++) host[i] = i % 50;
    device_array<int> a(n), b(n), sum(n);
    b.clear();
    int *pa = a.get(), *pb = b.get(), *ps = sum.get();
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t copy, left, right, joined, counted, back;
    HIP_CHECK(hipGraphCreate(&graph, 0));
    HIP_CHECK(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, pa, host.data(), n * sizeof(int),
                                      hipMemcpyHostToDevice));
    void *left_arguments[] = {&pa, &one, &n}, *right_arguments[] = {&pb, &two, &n};
    void *join_arguments[] = {&pa, &pb, &ps, &n};
    hipKernelNodeParams params = {};
    params.func = (void *)add;
    params.gridDim = dim3((n + 63) / 64);
    params.blockDim = dim3(64);
    params.kernelParams = left_arguments;
    HIP_CHECK(hipGraphAddKernelNode(&left, graph, &copy, 1, &params));
    params.kernelParams = right_arguments;
    HIP_CHECK(hipGraphAddKernelNode(&right, graph, nullptr, 0, &params));
    params.func = (void *)join;
    params.kernelParams = join_arguments;
    hipGraphNode_t both[] = {left, right};
    HIP_CHECK(hipGraphAddKernelNode(&joined, graph, both, 2, &params));
    hipHostNodeParams call = {count, &calls};
    HIP_CHECK(hipGraphAddHostNode(&counted, graph, &joined, 1, &call));
    HIP_CHECK(hipGraphAddMemcpyNode1D(&back, graph, &counted, 1, result.data(), ps, n * sizeof(int),
                                      hipMemcpyDeviceToHost));
    HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    size_t nodes = 0;
    HIP_CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 6);
    for (int launch = 1; launch <= 3; launch++) {
        if (launch == 3) {
            right_arguments[1] = &ten;
            params.func = (void *)add;
            params.kernelParams = right_arguments;
            HIP_CHECK(hipGraphExecKernelNodeSetParams(exec, right, &params));
        }
        HIP_CHECK(hipGraphLaunch(exec, nullptr));
        HIP_CHECK(hipStreamSynchronize(nullptr));
        int sum_of_b = launch == 3 ? 14 : 2 * launch;
        for (int i = 0; i < n; i++) EXPECT(result[i] == i % 50 + 1 + 1000 * sum_of_b);
    }
    EXPECT(calls == 3);
    HIP_CHECK(hipGraphExecDestroy(exec));
    HIP_CHECK(hipGraphDestroy(graph));
}
