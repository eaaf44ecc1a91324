// SPDX-License-Identifier: Apache-2.0
// Two graphs fill the same memory on two streams without an order.
// EXPECT: ERROR copy-race: write of 65536 byte(s) at 0x... by graph node 0 (memset) on ... is unordered with the write by graph node 0 (memset) on ..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_graph_race.c:32
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_graph_race.c:31
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_graph_race.c:29

#include "check/support/hip.h"

enum { BYTES = 65536 };

static hipGraphExec_t capture_fill(hipStream_t stream, void *block, int value) {
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    must(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
    must(hipMemsetAsync(block, value, BYTES, stream));
    must(hipStreamEndCapture(stream, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    return exec;
}

int main(void) {
    hipStream_t one = make_stream(), other = make_stream();
    void *block = NULL;
    must(hipMalloc(&block, BYTES));
    hipGraphExec_t first = capture_fill(one, block, 1), second = capture_fill(other, block, 2);
    must(hipGraphLaunch(first, one));
    must(hipGraphLaunch(second, other));
    must(hipDeviceSynchronize());
    must(hipGraphExecDestroy(first));
    must(hipGraphExecDestroy(second));
    must(hipFree(block));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(other));
    return 0;
}
