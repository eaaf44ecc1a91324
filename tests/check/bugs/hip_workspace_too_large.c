// SPDX-License-Identifier: Apache-2.0
// A workspace is much larger than what is written to it.
// OPTIONS: --unused --told-only
// EXPECT: WARN unused-memory: 9000 of 10000 byte(s) (90%) of R1 never written, first at +0x...
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_workspace_too_large.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_workspace_too_large.c:17
// EXPECT:   first freed by thread
// EXPECT:     ... main .../hip_workspace_too_large.c:19

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    void *workspace = NULL;
    must(hipMallocAsync(&workspace, 10000, stream));
    must(hipMemsetAsync(workspace, 0, 1000, stream));
    must(hipFreeAsync(workspace, stream));
    must(hipStreamSynchronize(stream));
    must(hipStreamDestroy(stream));
    return 0;
}
