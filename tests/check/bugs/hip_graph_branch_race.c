// SPDX-License-Identifier: Apache-2.0
// Two branches of a graph fill the same memory, and nothing orders them.
// EXPECT: ERROR copy-race: write of 65536 byte(s) at 0x... by graph node 3 (memset) on ... is unordered with the write by graph node 1 (memset) on ..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_graph_branch_race.c:36
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_graph_branch_race.c:36
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_graph_branch_race.c:23

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    hipStream_t one = make_stream(), other = make_stream();
    hipEvent_t event = NULL;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    void *block = NULL, *before = NULL;
    must(hipEventCreate(&event));
    must(hipMalloc(&before, BYTES));
    must(hipMalloc(&block, BYTES));
    must(hipStreamBeginCapture(one, hipStreamCaptureModeRelaxed));
    must(hipMemsetAsync(before, 1, BYTES, one));
    must(hipEventRecord(event, one));
    must(hipStreamWaitEvent(other, event, 0));
    must(hipMemsetAsync(block, 1, BYTES, one));
    must(hipMemsetAsync(before, 2, BYTES, other)); // behind the first fill: no race
    must(hipMemsetAsync(block, 2, BYTES, other));
    must(hipEventRecord(event, other));
    must(hipStreamWaitEvent(one, event, 0));
    must(hipStreamEndCapture(one, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    must(hipGraphLaunch(exec, one));
    must(hipDeviceSynchronize());
    must(hipGraphExecDestroy(exec));
    must(hipEventDestroy(event));
    must(hipFree(block));
    must(hipFree(before));
    must(hipStreamDestroy(one));
    must(hipStreamDestroy(other));
    return 0;
}
