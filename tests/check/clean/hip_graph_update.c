// SPDX-License-Identifier: Apache-2.0
// Branches of a graph change places by updates, between launches on two streams that follow each
// other. A child graph allocates memory, fills it and frees it at each launch.

#include "check/support/hip.h"

enum { BYTES = 4096 };

static hipGraphNode_t fill_node(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                void *to, unsigned value) {
    const hipMemsetParams params = {to, 1, 1, 0, value, BYTES};
    hipGraphNode_t node = NULL;
    must(hipGraphAddMemsetNode(&node, graph, before, count, &params));
    return node;
}

static hipGraph_t make_child(void) {
    hipMemAllocNodeParams params = {.poolProps = {.allocType = hipMemAllocationTypePinned,
                                                  .location = {hipMemLocationTypeDevice, 0}},
                                    .bytesize = BYTES};
    hipGraph_t child = NULL;
    hipGraphNode_t node = NULL;
    must(hipGraphCreate(&child, 0));
    must(hipGraphAddMemAllocNode(&node, child, NULL, 0, &params));
    node = fill_node(child, &node, 1, params.dptr, 9);
    must(hipGraphAddMemFreeNode(&node, child, &node, 1, params.dptr));
    return child;
}

// Two fills side by side, the child behind them, and a fill of both blocks behind that.
static hipGraph_t make_graph(hipGraph_t child, char *first, char *second) {
    hipGraph_t graph = NULL;
    hipGraphNode_t node = NULL;
    must(hipGraphCreate(&graph, 0));
    hipGraphNode_t sides[] = {fill_node(graph, NULL, 0, first, 1),
                              fill_node(graph, NULL, 0, second, 2)};
    must(hipGraphAddChildGraphNode(&node, graph, sides, 2, child));
    node = fill_node(graph, &node, 1, first, 3);
    (void)fill_node(graph, &node, 1, second, 4);
    return graph;
}

int main(void) {
    hipStream_t streams[2] = {make_stream(), make_stream()};
    hipEvent_t event = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphExecUpdateResult result = hipGraphExecUpdateError;
    hipGraphNode_t bad = NULL;
    char *blocks = NULL;
    hipGraph_t child = make_child();
    must(hipEventCreate(&event));
    must(hipMalloc((void **)&blocks, 2 * BYTES));
    hipGraph_t graph = make_graph(child, blocks, blocks + BYTES);
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    for (int i = 0; i < 4; i++) {
        hipStream_t stream = streams[i % 2];
        if (i > 0) must(hipStreamWaitEvent(stream, event, 0));
        must(hipGraphLaunch(exec, stream));
        must(hipMemsetAsync(blocks, 5, 2 * BYTES, stream));
        must(hipEventRecord(event, stream));
        graph = make_graph(child, blocks + (i + 1) % 2 * BYTES, blocks + i % 2 * BYTES);
        must(hipGraphExecUpdate(exec, graph, &bad, &result));
        must(hipGraphDestroy(graph));
    }
    must(hipDeviceSynchronize());
    must(hipGraphExecDestroy(exec));
    must(hipGraphDestroy(child));
    must(hipEventDestroy(event));
    must(hipFree(blocks));
    for (int i = 0; i < 2; i++) must(hipStreamDestroy(streams[i]));
    return 0;
}
