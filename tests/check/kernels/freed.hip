// SPDX-License-Identifier: Apache-2.0
// A kernel is launched with memory that was freed, in each way of launching.
// RUN: check
// EXPECT: use-after-free: argument 0x[0-9a-f]* of kernel set (hipExtLaunchHost) on the default stream points into freed memory
// EXPECT: main .*freed.hip:[0-9]*$
// EXPECT: use-after-free: argument .* of kernel set (hipLaunchKernel) on the default stream
// EXPECT: use-after-free: argument .* of kernel set (graph node [0-9]* (kernel)) on the default stream
// EXPECT: use-after-free: argument .* of kernel set_range (hipExtLaunchHost) on the default stream
// EXPECT: launch_range(range) .*freed.hip:26
// EXPECT: kernel set, block (0, 0, 0), thread (0, 0, 0): an access of address 0x[0-9a-f]*, which it must not access, at freed.hip:14
#include "../../compat/hip/programs/check.h"

__global__ void set(int *p, int count) {
    if ((int)threadIdx.x < count) p[threadIdx.x] = 1;
}

struct range {
    bool is_used;
    int *first, *end;
};

__global__ void set_range(range r) {
    if (r.is_used) *r.first = 1;
}

void launch_range(range r) { set_range<<<1, 64>>>(r); }

int main() {
    int *p, count = 0;
    HIP_CHECK(hipMalloc(&p, 64 * sizeof(int)));
    HIP_CHECK(hipFree(p));
    set<<<1, 64>>>(p, count);
    void *arguments[] = {&p, &count};
    HIP_CHECK(hipLaunchKernel((void *)set, 1, 64, arguments, 0, nullptr));
    launch_range({false, p, p + 64});
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t node;
    const hipKernelNodeParams params = {dim3(64), nullptr, (void *)set, dim3(1), arguments, 0};
    HIP_CHECK(hipGraphCreate(&graph, 0));
    HIP_CHECK(hipGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    HIP_CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    HIP_CHECK(hipGraphLaunch(exec, nullptr));
    HIP_CHECK(hipDeviceSynchronize());
    set<<<1, 64>>>(p, 64);
    (void)hipDeviceSynchronize();
}
