// SPDX-License-Identifier: Apache-2.0
// A host function and a callback change memory that another stream copies. That stream waits for
// both later, and they run later still.
// EXPECT: ERROR host-race: write of 4096 byte(s) at 0x... by hipMemcpy on the host is unordered with the read by hipMemcpyAsync on stream 0x..., in a block of pinned memory of 8192 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... change .../hip_function_race.c:26
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_function_race.c:44
// EXPECT: ERROR host-race: write of 4096 byte(s) at 0x... by hipMemcpy on the host is unordered with the read by hipMemcpyAsync on stream 0x..., in a block of pinned memory of 8192 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... called_back .../hip_function_race.c:31

#include "check/support/hip.h"

enum { BYTES = 4096 };

static char input[BYTES];
static _Atomic(int) submitted;

static void wait_until_submitted(void *arg) {
    (void)arg;
    while (!submitted) {
    }
}

static void change(void *block) { must(hipMemcpy(block, input, BYTES, hipMemcpyHostToHost)); }

static void called_back(hipStream_t stream, hipError_t status, void *block) {
    (void)stream;
    must(status);
    change(block);
}

int main(void) {
    hipStream_t copies = make_stream(), calls = make_stream();
    hipEvent_t event = NULL;
    char *pinned = NULL;
    void *device = NULL;
    must(hipEventCreate(&event));
    must(hipHostMalloc((void **)&pinned, 2 * BYTES, 0));
    must(hipMalloc(&device, 2 * BYTES));
    memset(pinned, 0, 2 * BYTES);
    must(hipLaunchHostFunc(calls, wait_until_submitted, NULL));
    must(hipMemcpyAsync(device, pinned, 2 * BYTES, hipMemcpyHostToDevice, copies));
    must(hipLaunchHostFunc(calls, change, pinned));
    must(hipStreamAddCallback(calls, called_back, pinned + BYTES, 0));
    must(hipEventRecord(event, calls));
    must(hipStreamWaitEvent(copies, event, 0));
    submitted = 1;
    must(hipStreamSynchronize(copies));
    must(hipFree(device));
    must(hipHostFree(pinned));
    must(hipEventDestroy(event));
    must(hipStreamDestroy(calls));
    must(hipStreamDestroy(copies));
    return 0;
}
