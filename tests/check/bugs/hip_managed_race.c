// SPDX-License-Identifier: Apache-2.0
// The host fills managed memory by a copy while a stream still reads it.
// EXPECT: ERROR host-race: write of 65536 byte(s) at 0x... by hipMemcpy on the host is unordered with the read by hipMemcpyAsync on stream 0x..., in a block of pinned memory of 65536 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_managed_race.c:23
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../hip_managed_race.c:22
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_managed_race.c:19

#include "check/support/hip.h"

enum { BYTES = 65536 };

int main(void) {
    static char input[BYTES];
    hipStream_t stream = make_stream();
    void *managed = NULL, *device = NULL;
    must(hipMallocManaged(&managed, BYTES, hipMemAttachGlobal));
    must(hipMalloc(&device, BYTES));
    memset(managed, 0, BYTES);
    must(hipMemcpyAsync(device, managed, BYTES, hipMemcpyDefault, stream));
    must(hipMemcpy(managed, input, BYTES, hipMemcpyDefault));
    must(hipStreamSynchronize(stream));
    must(hipFree(managed));
    must(hipFree(device));
    must(hipStreamDestroy(stream));
    return 0;
}
