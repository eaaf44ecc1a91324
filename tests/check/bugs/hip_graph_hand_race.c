// SPDX-License-Identifier: Apache-2.0
// Two nodes of a graph that was built by hand write the same memory, and no edge orders them.
// EXPECT: ERROR copy-race: write of 65536 byte(s) at 0x... by graph node 2 (memcpy) on ... is unordered with the write by graph node 1 (memset) on ..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_graph_hand_race.c:30
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_graph_hand_race.c:30
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_graph_hand_race.c:22

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    hipStream_t stream = make_stream();
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t first = NULL, fill = NULL, copy = NULL;
    char *block = NULL, *from = NULL;
    must(hipMalloc((void **)&from, BYTES));
    must(hipMalloc((void **)&block, BYTES));
    must(hipGraphCreate(&graph, 0));
    const hipMemsetParams begin = {from, 1, 1, 0, 1, BYTES};
    const hipMemsetParams rows = {block, 1, 1, 0, 2, BYTES};
    must(hipGraphAddMemsetNode(&first, graph, NULL, 0, &begin));
    must(hipGraphAddMemsetNode(&fill, graph, &first, 1, &rows));
    must(hipGraphAddMemcpyNode1D(&copy, graph, &first, 1, block, from, BYTES, hipMemcpyDefault));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphLaunch(exec, stream));
    must(hipDeviceSynchronize());
    must(hipGraphExecDestroy(exec));
    must(hipGraphDestroy(graph));
    must(hipFree(block));
    must(hipFree(from));
    must(hipStreamDestroy(stream));
    return 0;
}
