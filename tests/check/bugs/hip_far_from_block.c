// SPDX-License-Identifier: Apache-2.0
// An index of a page is multiplied by the size of a page twice, and leads far behind the block.
// EXPECT: ERROR unallocated-access: write of 256 byte(s) at 0x... by hipMemsetAsync
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_far_from_block.c:17
// EXPECT:   registered by thread
// EXPECT:     ... main .../hip_far_from_block.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_far_from_block.c:16

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    char *table = NULL;
    must(hipMallocAsync((void **)&table, 4096, stream));
    must(hipMemsetAsync(table + 256 * 1024, 0, 256, stream));
    must(hipFreeAsync(table, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
