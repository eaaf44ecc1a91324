// SPDX-License-Identifier: Apache-2.0
// A stream that prefetches weights uses a block that another stream allocates, without an event.
// EXPECT: ERROR use-before-event: write of 65536 byte(s) at 0x... by hipMemcpyAsync on stream 0x..., allocated in order of stream 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_prefetch_before_event.c:18
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_prefetch_before_event.c:17

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    hipStream_t compute = make_stream(), prefetch = make_stream();
    static char weights[BYTES];
    void *block = NULL;
    must(hipMallocAsync(&block, BYTES, compute));
    must(hipMemcpyAsync(block, weights, BYTES, hipMemcpyHostToDevice, prefetch));
    must(hipStreamSynchronize(prefetch));
    must(hipStreamSynchronize(compute));
    must(hipFreeAsync(block, compute));
    must(hipStreamSynchronize(compute));
    must(hipStreamDestroy(compute));
    must(hipStreamDestroy(prefetch));
    return 0;
}
