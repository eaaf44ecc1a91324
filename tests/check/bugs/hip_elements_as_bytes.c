// SPDX-License-Identifier: Apache-2.0
// A fill of 32-bit values gets the number of bytes where the number of values belongs.
// EXPECT: ERROR heap-overflow: write of 16000 byte(s) at 0x..., wrong from 0x... on by hipMemsetD32Async
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_elements_as_bytes.c:17
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_elements_as_bytes.c:16

#include "check/support/hip.h"

enum { COUNT = 1000 };

int main(void) {
    hipStream_t stream = make_stream();
    void *values = NULL;
    must(hipMallocAsync(&values, COUNT * 4, stream));
    (void)hipMemsetD32Async(values, 7, (size_t)COUNT * 4, stream);
    must(hipFreeAsync(values, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
