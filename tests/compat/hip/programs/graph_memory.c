// SPDX-License-Identifier: Apache-2.0
// A graph built by hand, whose memory exists only while it runs: a scratch block between an allocation
// and a free, and a result that the program frees after each launch.
#include <string.h>

#include "support/sample.h"

#define COUNT    ((size_t)1 << 18)
#define BYTES    (COUNT * sizeof(int))
#define LAUNCHES 4

static hipGraphNode_t add_alloc(hipGraph_t graph, void **ptr) {
    hipMemAllocNodeParams params;
    hipGraphNode_t node = NULL;
    memset(&params, 0, sizeof params);
    params.poolProps.allocType = hipMemAllocationTypePinned;
    params.poolProps.location.type = hipMemLocationTypeDevice;
    params.bytesize = BYTES;
    must(hipGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
    *ptr = params.dptr;
    return node;
}

static unsigned long long used(void) {
    unsigned long long bytes = 0;
    must(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &bytes));
    return bytes;
}

int main(void) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t up = NULL, on = NULL, release = NULL;
    hipStream_t stream = NULL;
    int *numbers = NULL, *back = NULL;
    void *kept = NULL, *scratch = NULL, *result = NULL;
    must(hipStreamCreate(&stream));
    must(hipMalloc(&kept, BYTES)); // beside the graph's
    must(hipHostMalloc((void **)&numbers, BYTES, hipHostMallocDefault));
    must(hipHostMalloc((void **)&back, BYTES, hipHostMallocDefault));

    must(hipGraphCreate(&graph, 0));
    hipGraphNode_t both[2] = {add_alloc(graph, &scratch), add_alloc(graph, &result)};
    must(hipGraphAddMemcpyNode1D(&up, graph, both, 1, scratch, numbers, BYTES,
                                 hipMemcpyHostToDevice));
    hipGraphNode_t ready[2] = {up, both[1]};
    must(hipGraphAddMemcpyNode1D(&on, graph, ready, 2, result, scratch, BYTES,
                                 hipMemcpyDeviceToDevice));
    must(hipGraphAddMemFreeNode(&release, graph, &on, 1, scratch));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));

    expect(used() == 0);
    for (int launch = 0; launch < LAUNCHES; launch++) {
        for (size_t i = 0; i < COUNT; i++) numbers[i] = launch + (int)i;
        must(hipGraphLaunch(exec, stream));
        expect(used() == BYTES); // the result
        must(hipMemcpyAsync(back, result, BYTES, hipMemcpyDeviceToHost, stream));
        must(hipFreeAsync(result, stream));
        must(hipStreamSynchronize(stream));
        expect(used() == 0);
        for (size_t i = 0; i < COUNT; i++) expect(back[i] == launch + (int)i);
    }
    must(hipGraphExecDestroy(exec));
    must(hipHostFree(back));
    must(hipHostFree(numbers));
    must(hipFree(kept));
    must(hipStreamDestroy(stream));
    printf("%d launches, %zu KiB at %p\n", LAUNCHES, BYTES / 1024, result);
    return 0;
}
