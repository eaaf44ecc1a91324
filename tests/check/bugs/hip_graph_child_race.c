// SPDX-License-Identifier: Apache-2.0
// A node of a child graph, two levels down, and a node beside the child fill the same memory. The
// numbers lead from the graph to the node.
// EXPECT: ERROR copy-race: write of 65536 byte(s) at 0x... by graph node 1.1.0 (memset) on ... is unordered with the write by graph node 0 (memset) on ..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_graph_child_race.c:36
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_graph_child_race.c:36
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_graph_child_race.c:23
// EXPECT: SUMMARY: 1 error(s)

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    hipStream_t stream = make_stream();
    hipGraph_t graph = NULL, child = NULL, inner = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t before = NULL, node = NULL, last = NULL;
    void *block = NULL;
    must(hipMalloc(&block, BYTES));
    must(hipGraphCreate(&graph, 0));
    must(hipGraphCreate(&child, 0));
    must(hipGraphCreate(&inner, 0));
    const hipMemsetParams fill = {block, 1, 1, 0, 2, BYTES};
    must(hipGraphAddMemsetNode(&node, inner, NULL, 0, &fill));
    must(hipGraphAddEmptyNode(&before, child, NULL, 0));
    must(hipGraphAddChildGraphNode(&node, child, &before, 1, inner));
    must(hipGraphAddMemsetNode(&last, graph, NULL, 0, &fill));
    must(hipGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    const hipGraphNode_t ends[] = {last, node};
    must(hipGraphAddMemsetNode(&last, graph, ends, 2, &fill)); // behind both: no race
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphLaunch(exec, stream));
    must(hipDeviceSynchronize());
    must(hipGraphExecDestroy(exec));
    must(hipGraphDestroy(graph));
    must(hipGraphDestroy(child));
    must(hipGraphDestroy(inner));
    must(hipFree(block));
    must(hipStreamDestroy(stream));
    return 0;
}
