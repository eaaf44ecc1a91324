// SPDX-License-Identifier: Apache-2.0
// A stream waits for an event that is only recorded afterwards, so that the copy behind is a race.
// EXPECT: NOTE wait-without-record: stream 0x... waits for event 0x..., which was never recorded
// EXPECT:   wait by thread
// EXPECT:     ... main .../hip_wait_before_record.c:27
// EXPECT: ERROR copy-race: read of 1048576 byte(s) at 0x... by hipMemcpyAsync on stream 0x... is unordered with the write by hipMemsetAsync on stream 0x..., in a block of device memory of 1048576 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_wait_before_record.c:30
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_wait_before_record.c:28
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_wait_before_record.c:23

#include "check/support/hip.h"

enum { BYTES = 1 << 20 };

int main(void) {
    hipStream_t produce = make_stream(), consume = make_stream();
    hipEvent_t ready = NULL;
    void *from = NULL, *to = NULL;
    must(hipEventCreate(&ready));
    must(hipMalloc(&from, BYTES));
    must(hipMalloc(&to, BYTES));
    must(hipMemset(from, 0, BYTES));
    must(hipDeviceSynchronize());
    must(hipStreamWaitEvent(consume, ready, 0));
    must(hipMemsetAsync(from, 1, BYTES, produce));
    must(hipEventRecord(ready, produce));
    must(hipMemcpyAsync(to, from, BYTES, hipMemcpyDeviceToDevice, consume));
    must(hipDeviceSynchronize());
    must(hipFree(from));
    must(hipFree(to));
    must(hipEventDestroy(ready));
    must(hipStreamDestroy(produce));
    must(hipStreamDestroy(consume));
    return 0;
}
