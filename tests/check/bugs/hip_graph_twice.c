// SPDX-License-Identifier: Apache-2.0
// One executable graph is launched on two streams at the same time, so that its node runs twice at once.
// EXPECT: ERROR copy-race: write of 65536 byte(s) at 0x... by graph node 0 (memset) on ... is unordered with the write by graph node 0 (memset) on ..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_graph_twice.c:27
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_graph_twice.c:26
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_graph_twice.c:20

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    hipStream_t one = make_stream(), other = make_stream();
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    void *block = NULL;
    must(hipMalloc(&block, BYTES));
    must(hipStreamBeginCapture(one, hipStreamCaptureModeRelaxed));
    must(hipMemsetAsync(block, 1, BYTES, one));
    must(hipStreamEndCapture(one, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    must(hipGraphLaunch(exec, one));
    must(hipGraphLaunch(exec, other));
    must(hipDeviceSynchronize());
    must(hipGraphLaunch(exec, one));
    must(hipGraphLaunch(exec, one)); // one after the other
    must(hipDeviceSynchronize());
    must(hipGraphExecDestroy(exec));
    must(hipFree(block));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(other));
    return 0;
}
