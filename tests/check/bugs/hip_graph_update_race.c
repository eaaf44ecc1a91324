// SPDX-License-Identifier: Apache-2.0
// Two branches fill two blocks, in two launches. An update lets them fill the same block, and one
// more lets them fill two again.
// EXPECT: ERROR copy-race: write of 65536 byte(s) at 0x... by graph node 1 (memset) on ... is unordered with the write by graph node 0 (memset) on ..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_graph_update_race.c:44
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_graph_update_race.c:44
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_graph_update_race.c:38
// EXPECT: SUMMARY: 1 error(s)

#include "check/support/hip.h"

enum { BYTES = 65536 };

static hipGraph_t fill_both(void *one, void *other) {
    const hipMemsetParams fills[] = {{one, 1, 1, 0, 1, BYTES}, {other, 1, 1, 0, 2, BYTES}};
    hipGraph_t graph = NULL;
    hipGraphNode_t node = NULL;
    must(hipGraphCreate(&graph, 0));
    for (int i = 0; i < 2; i++) must(hipGraphAddMemsetNode(&node, graph, NULL, 0, &fills[i]));
    return graph;
}

static void update(hipGraphExec_t exec, hipGraph_t graph) {
    hipGraphExecUpdateResult result = hipGraphExecUpdateError;
    hipGraphNode_t node = NULL;
    must(hipGraphExecUpdate(exec, graph, &node, &result));
    must(hipGraphDestroy(graph));
}

int main(void) {
    hipStream_t stream = make_stream();
    hipGraphExec_t exec = NULL;
    char *blocks[2] = {NULL, NULL};
    must(hipMalloc((void **)&blocks[0], BYTES));
    must(hipMalloc((void **)&blocks[1], BYTES));
    hipGraph_t graph = fill_both(blocks[0], blocks[1]);
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    for (int i = 0; i < 2; i++) must(hipGraphLaunch(exec, stream));
    update(exec, fill_both(blocks[1], blocks[1]));
    must(hipGraphLaunch(exec, stream));
    update(exec, fill_both(blocks[1], blocks[0]));
    must(hipGraphLaunch(exec, stream));
    must(hipDeviceSynchronize());
    must(hipGraphExecDestroy(exec));
    must(hipFree(blocks[0]));
    must(hipFree(blocks[1]));
    must(hipStreamDestroy(stream));
    return 0;
}
