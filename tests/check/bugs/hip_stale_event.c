// SPDX-License-Identifier: Apache-2.0
// A scheduler records an event again that its request destroyed at its end.
// EXPECT: ERROR bad-handle: hipEventRecord with 0x..., which was destroyed
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_stale_event.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_stale_event.c:16
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_stale_event.c:19

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    hipEvent_t done = NULL;
    must(hipEventCreate(&done));
    must(hipEventRecord(done, stream));
    must(hipEventSynchronize(done));
    must(hipEventDestroy(done));
    (void)hipEventRecord(done, stream);
    must(hipStreamDestroy(stream));
    return 0;
}
