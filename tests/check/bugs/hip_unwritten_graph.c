// SPDX-License-Identifier: Apache-2.0
// A graph copies memory that nothing has written.
// OPTIONS: --uninitialised=strict
// EXPECT: ERROR uninitialised-read: 4096 of 4096 byte(s) at 0x... never written since registration of R1, read by graph node 0 (memcpy)
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_unwritten_graph.c:25
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_unwritten_graph.c:19

#include "check/support/hip.h"

enum { BYTES = 4096 };

int main(void) {
    hipStream_t stream = make_stream();
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    void *from = NULL, *to = NULL;
    must(hipMalloc(&from, BYTES));
    must(hipMalloc(&to, BYTES));
    must(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    must(hipMemcpyAsync(to, from, BYTES, hipMemcpyDeviceToDevice, stream));
    must(hipStreamEndCapture(stream, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphLaunch(exec, stream));
    must(hipStreamSynchronize(stream));
    must(hipGraphExecDestroy(exec));
    must(hipGraphDestroy(graph));
    must(hipFree(from));
    must(hipFree(to));
    must(hipStreamDestroy(stream));
    return 0;
}
