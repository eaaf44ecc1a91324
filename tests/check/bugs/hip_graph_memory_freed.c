// SPDX-License-Identifier: Apache-2.0
// Work behind a launch fills memory that a node of the graph has freed.
// EXPECT: ERROR use-after-free: write of 4096 byte(s) at 0x... by hipMemsetAsync
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_graph_memory_freed.c:27
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_graph_memory_freed.c:26

#include "check/support/hip.h"

enum { BYTES = 4096 };

int main(void) {
    hipStream_t stream = make_stream();
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    void *block = NULL;
    must(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    must(hipMallocAsync(&block, BYTES, stream));
    must(hipMemsetAsync(block, 1, BYTES, stream));
    must(hipFreeAsync(block, stream));
    must(hipStreamEndCapture(stream, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));

    must(hipGraphLaunch(exec, stream));
    must(hipMemsetAsync(block, 2, BYTES, stream));
    must(hipStreamSynchronize(stream));
    must(hipGraphExecDestroy(exec));
    must(hipStreamDestroy(stream));
    return 0;
}
