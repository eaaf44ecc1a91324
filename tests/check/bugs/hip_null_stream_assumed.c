// SPDX-License-Identifier: Apache-2.0
// A program expects that work on the null stream waits for a stream that does not block it.
// EXPECT: ERROR copy-race: write of 65536 byte(s) at 0x... by hipMemsetAsync on the default stream is unordered with the write by hipMemsetAsync on stream 0x..., in a block of device memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_null_stream_assumed.c:20
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_null_stream_assumed.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_null_stream_assumed.c:18

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    hipStream_t stream = make_stream();
    void *block = NULL;
    must(hipMalloc(&block, BYTES));
    must(hipMemsetAsync(block, 1, BYTES, stream));
    must(hipMemsetAsync(block, 2, BYTES, NULL));
    must(hipDeviceSynchronize());
    must(hipFree(block));
    must(hipStreamDestroy(stream));
    return 0;
}
