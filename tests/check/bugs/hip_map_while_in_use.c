// SPDX-License-Identifier: Apache-2.0
// A second mapping of a ring buffer is made while a stream still writes to the first one.
// EXPECT: WARN map-while-in-use: 2097152 byte(s) at 0x..., mapped at 0x... as well, where hipMemsetAsync on stream 0x... may still run
// EXPECT:   mapped by thread
// EXPECT:     ... main .../hip_map_while_in_use.c:18
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_map_while_in_use.c:17

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    char *ring = reserve(2 * PAGE);
    hipMemGenericAllocationHandle_t page = make_handle(PAGE);
    must(hipMemMap(ring, PAGE, 0, page, 0));
    allow(ring, PAGE, hipMemAccessFlagsProtReadWrite);
    must(hipMemsetAsync(ring, 0, PAGE, stream));
    must(hipMemMap(ring + PAGE, PAGE, 0, page, 0));
    must(hipStreamSynchronize(stream));
    must(hipMemUnmap(ring, 2 * PAGE));
    must(hipMemRelease(page));
    must(hipMemAddressFree(ring, 2 * PAGE));
    must(hipStreamDestroy(stream));
    return 0;
}
