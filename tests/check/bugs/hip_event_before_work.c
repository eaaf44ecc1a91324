// SPDX-License-Identifier: Apache-2.0
// The event behind a fill is recorded before the fill.
// EXPECT: ERROR host-race: read of 65536 byte(s) at 0x... by hipMemcpy on the host is unordered with the write by hipMemsetAsync on stream 0x..., in a block of pinned memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_event_before_work.c:25
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_event_before_work.c:23
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_event_before_work.c:21

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    static char out[BYTES];
    hipStream_t stream = make_stream();
    hipEvent_t filled = NULL;
    void *pinned = NULL;
    must(hipEventCreate(&filled));
    must(hipHostMalloc(&pinned, BYTES, 0));
    must(hipEventRecord(filled, stream));
    must(hipMemsetAsync(pinned, 1, BYTES, stream));
    must(hipEventSynchronize(filled));
    must(hipMemcpy(out, pinned, BYTES, hipMemcpyHostToHost));
    must(hipStreamSynchronize(stream));
    must(hipHostFree(pinned));
    must(hipEventDestroy(filled));
    must(hipStreamDestroy(stream));
    return 0;
}
