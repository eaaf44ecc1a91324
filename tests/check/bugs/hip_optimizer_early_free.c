// SPDX-License-Identifier: Apache-2.0
// An optimizer frees a gradient on the stream that allocated it, while a third stream, which reduces
// it, still writes to it.
// EXPECT: ERROR stream-use-after-free: free in order of stream 0x... of 1048576 byte(s) at 0x... that hipMemsetAsync on stream 0x... may still write dev 0...
// EXPECT:   is 0 byte(s) inside freed region R1 [0x...,0x...) size 1048576...
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_optimizer_early_free.c:23
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_optimizer_early_free.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_optimizer_early_free.c:20

#include "check/support/hip.h"

enum { BYTES = 1 << 20 };

int main(void) {
    hipStream_t reduce = make_stream(), step = make_stream();
    void *gradient = NULL;
    must(hipMallocAsync(&gradient, BYTES, step));
    must(hipStreamSynchronize(step));
    must(hipMemsetAsync(gradient, 1, BYTES, reduce));
    must(hipFreeAsync(gradient, step));
    must(hipDeviceSynchronize());
    must(hipStreamDestroy(reduce));
    must(hipStreamDestroy(step));
    return 0;
}
