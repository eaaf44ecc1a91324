// SPDX-License-Identifier: Apache-2.0
// Double buffering: the event that guards the second buffer is recorded on the wrong stream.
// EXPECT: ERROR copy-race: read of 1048576 byte(s) at 0x... by hipMemcpyAsync on stream 0x... is unordered with the write by hipMemsetAsync on stream 0x..., in a block of device memory of 1048576 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_event_of_wrong_stream.c:25
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_event_of_wrong_stream.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_event_of_wrong_stream.c:20

#include "check/support/hip.h"

enum { BYTES = 1 << 20 };

int main(void) {
    hipStream_t load = make_stream(), compute = make_stream();
    hipEvent_t loaded = NULL;
    void *front = NULL, *back = NULL;
    must(hipEventCreateWithFlags(&loaded, hipEventDisableTiming));
    must(hipMalloc(&front, BYTES));
    must(hipMalloc(&back, BYTES));
    must(hipMemsetAsync(front, 1, BYTES, load));
    must(hipEventRecord(loaded, compute));
    must(hipStreamWaitEvent(compute, loaded, 0));
    must(hipMemcpyAsync(back, front, BYTES, hipMemcpyDeviceToDevice, compute));
    must(hipDeviceSynchronize());
    must(hipEventDestroy(loaded));
    must(hipFree(front));
    must(hipFree(back));
    must(hipStreamDestroy(load));
    must(hipStreamDestroy(compute));
    return 0;
}
