// SPDX-License-Identifier: Apache-2.0
// Branches of a graph read what the work before the launch wrote, and work behind it reads what they
// wrote. Launches on two streams follow each other.

#include "check/support/hip.h"

enum { BYTES = 4096, SIDES = 3 };

int main(void) {
    hipStream_t streams[SIDES] = {make_stream(), make_stream(), make_stream()};
    hipEvent_t event = NULL;
    hipGraph_t graph = NULL;
    hipGraphExec_t exec = NULL;
    char *from = NULL, *to = NULL, *last = NULL;
    must(hipEventCreate(&event));
    must(hipMalloc((void **)&from, BYTES * SIDES));
    must(hipMalloc((void **)&to, BYTES * SIDES));
    must(hipMalloc((void **)&last, BYTES * SIDES));
    must(hipStreamBeginCapture(streams[0], hipStreamCaptureModeRelaxed));
    must(hipEventRecord(event, streams[0]));
    for (int i = 1; i < SIDES; i++) must(hipStreamWaitEvent(streams[i], event, 0));
    for (int i = 0; i < SIDES; i++)
        must(hipMemcpyAsync(to + i * BYTES, from + i * BYTES, BYTES, hipMemcpyDeviceToDevice,
                            streams[i]));
    for (int i = 1; i < SIDES; i++) {
        must(hipEventRecord(event, streams[i]));
        must(hipStreamWaitEvent(streams[0], event, 0));
    }
    must(hipStreamEndCapture(streams[0], &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphDestroy(graph));
    must(hipMemsetAsync(from, 1, BYTES * SIDES, streams[0]));
    must(hipGraphLaunch(exec, streams[0]));
    must(hipMemcpyAsync(last, to, BYTES * SIDES, hipMemcpyDeviceToDevice, streams[0]));
    must(hipMemsetAsync(from, 2, BYTES * SIDES, streams[0]));
    must(hipEventRecord(event, streams[0]));
    must(hipStreamWaitEvent(streams[1], event, 0));
    must(hipGraphLaunch(exec, streams[1]));
    must(hipMemsetAsync(to, 3, BYTES * SIDES, streams[1]));
    must(hipStreamSynchronize(streams[1]));
    must(hipGraphExecDestroy(exec));
    must(hipEventDestroy(event));
    must(hipFree(from));
    must(hipFree(to));
    must(hipFree(last));
    for (int i = 0; i < SIDES; i++) must(hipStreamDestroy(streams[i]));
    return 0;
}
