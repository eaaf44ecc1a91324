// SPDX-License-Identifier: Apache-2.0
// A graph is launched after memory that it fills was freed, and again after it was destroyed.
// EXPECT: ERROR use-after-free: write of 4096 byte(s) at 0x... by graph node 0 (memset), in a block of device memory of 4096 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT: hipGraphLaunch
// EXPECT:   allocated by thread
// EXPECT:   freed by thread
// EXPECT: ERROR bad-handle: hipGraphLaunch with 0x..., which was destroyed
// EXPECT:   access by thread
// EXPECT: hip_stale_graph.c:
// EXPECT:   allocated by thread
// EXPECT: hipGraphInstantiate
// EXPECT:   freed by thread
// EXPECT: hipGraphExecDestroy

#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime_api.h>

#define must(call) must_be((call), #call)

static void must_be(hipError_t error, const char *call) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s: %s\n", call, hipGetErrorString(error));
        exit(2);
    }
}

int main(void) {
    void *block = NULL;
    hipStream_t stream = NULL;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    must(hipMalloc(&block, 4096));
    must(hipStreamCreate(&stream));
    must(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    must(hipMemsetAsync(block, 1, 4096, stream));
    must(hipStreamEndCapture(stream, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphLaunch(exec, stream));
    must(hipStreamSynchronize(stream));
    must(hipFree(block));
    (void)hipGraphLaunch(exec, stream);
    must(hipGraphExecDestroy(exec));
    (void)hipGraphLaunch(exec, stream);
    must(hipGraphDestroy(graph));
    must(hipStreamDestroy(stream));
    return 0;
}
