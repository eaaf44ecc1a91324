// SPDX-License-Identifier: Apache-2.0
// A graph that is built by hand: edges order what its branches do, a child graph ends before the
// nodes behind it, an event node orders another stream, and memory lives between its nodes.

#include "check/support/hip.h"

enum { BYTES = 4096, SIDES = 3 };

static hipGraphNode_t copy_node(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                void *to, const void *from) {
    hipGraphNode_t node = NULL;
    must(hipGraphAddMemcpyNode1D(&node, graph, before, count, to, from, BYTES,
                                 hipMemcpyDeviceToDevice));
    return node;
}

static hipGraphNode_t fill_node(hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                void *to) {
    const hipMemsetParams params = {to, 1, 1, 0, 5, BYTES};
    hipGraphNode_t node = NULL;
    must(hipGraphAddMemsetNode(&node, graph, before, count, &params));
    return node;
}

int main(void) {
    hipStream_t stream = make_stream();
    hipStream_t other = make_stream();
    hipGraph_t graph = NULL, child = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t sides[SIDES], alloc = NULL, inner = NULL, record = NULL, last = NULL;
    hipEvent_t event = NULL;
    char *from = NULL, *to = NULL;
    hipMemAllocNodeParams params = {.poolProps = {.allocType = hipMemAllocationTypePinned,
                                                  .location = {hipMemLocationTypeDevice, 0}},
                                    .bytesize = BYTES};
    must(hipEventCreate(&event));
    must(hipMalloc((void **)&from, BYTES));
    must(hipMalloc((void **)&to, BYTES * SIDES));
    must(hipGraphCreate(&graph, 0));
    must(hipGraphCreate(&child, 0));
    hipGraphNode_t first = fill_node(graph, NULL, 0, from);
    must(hipGraphAddMemAllocNode(&alloc, graph, &first, 1, &params));
    for (int i = 0; i < SIDES; i++)
        sides[i] = copy_node(graph, &alloc, 1, i == 0 ? params.dptr : to + i * BYTES, from);
    (void)copy_node(child, NULL, 0, to, to + BYTES);
    must(hipGraphAddChildGraphNode(&inner, graph, sides, SIDES, child));
    must(hipGraphAddEventRecordNode(&record, graph, &inner, 1, event));
    last = copy_node(graph, &record, 1, from, params.dptr);
    must(hipGraphAddMemFreeNode(&last, graph, &last, 1, params.dptr));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    must(hipGraphDestroy(child));
    for (int i = 0; i < 2; i++) {
        must(hipGraphLaunch(exec, stream));
        must(hipStreamWaitEvent(other, event, 0));
        must(hipMemsetAsync(to, 3, BYTES * SIDES, other));
        must(hipStreamSynchronize(other));
    }
    must(hipStreamSynchronize(stream));
    must(hipGraphExecDestroy(exec));
    must(hipEventDestroy(event));
    must(hipFree(from));
    must(hipFree(to));
    must(hipStreamDestroy(stream));
    must(hipStreamDestroy(other));
    return 0;
}
