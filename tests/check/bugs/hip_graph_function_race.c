// SPDX-License-Identifier: Apache-2.0
// The host function of a graph changes memory that another stream copies. It runs after the host has
// waited for that stream.
// EXPECT: ERROR host-race: write of 4096 byte(s) at 0x... by hipMemcpy on the host is unordered with the read by hipMemcpyAsync on stream 0x..., in a block of pinned memory of 4096 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... change .../hip_graph_function_race.c:23
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_graph_function_race.c:41

#include "check/support/hip.h"

enum { BYTES = 4096 };

static char input[BYTES];
static _Atomic(int) copied;

static void wait_until_copied(void *arg) {
    (void)arg;
    while (!copied) {
    }
}

static void change(void *block) { must(hipMemcpy(block, input, BYTES, hipMemcpyHostToHost)); }

int main(void) {
    hipStream_t copies = make_stream(), launches = make_stream();
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    hipGraphNode_t waits = NULL, changes = NULL;
    void *pinned = NULL, *device = NULL;
    must(hipHostMalloc(&pinned, BYTES, 0));
    must(hipMalloc(&device, BYTES));
    memset(pinned, 0, BYTES);
    const hipHostNodeParams wait = {.fn = wait_until_copied};
    const hipHostNodeParams call = {.fn = change, .userData = pinned};
    must(hipGraphCreate(&graph, 0));
    must(hipGraphAddHostNode(&waits, graph, NULL, 0, &wait));
    must(hipGraphAddHostNode(&changes, graph, &waits, 1, &call));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphLaunch(exec, launches));
    must(hipMemcpyAsync(device, pinned, BYTES, hipMemcpyHostToDevice, copies));
    must(hipStreamSynchronize(copies));
    copied = 1;
    must(hipStreamSynchronize(launches));
    must(hipGraphExecDestroy(exec));
    must(hipGraphDestroy(graph));
    must(hipFree(device));
    must(hipHostFree(pinned));
    must(hipStreamDestroy(launches));
    must(hipStreamDestroy(copies));
    return 0;
}
