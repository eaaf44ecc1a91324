// SPDX-License-Identifier: Apache-2.0
// A graph of a fill and a copy is launched twice and destroyed after the wait, its memory after
// that.

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
    must(hipMemsetAsync(from, 1, BYTES, stream));
    must(hipMemcpyAsync(to, from, BYTES, hipMemcpyDeviceToDevice, stream));
    must(hipStreamEndCapture(stream, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    must(hipGraphLaunch(exec, stream));
    must(hipGraphLaunch(exec, stream));
    must(hipStreamSynchronize(stream));
    must(hipGraphExecDestroy(exec));
    must(hipFree(from));
    must(hipFree(to));
    must(hipStreamDestroy(stream));
    return 0;
}
