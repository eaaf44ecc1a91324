// SPDX-License-Identifier: Apache-2.0
// Managed memory is filled after it was freed.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by hipMemset, in a block of pinned memory of 4096 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT:     ... main .../hip_managed_after_free.c:19
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_managed_after_free.c:15
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_managed_after_free.c:18

#include "check/support/hip.h"

int main(void) {
    void *block = NULL;
    must(hipMallocManaged(&block, 4096, hipMemAttachGlobal));
    must(hipMemset(block, 0, 4096));
    must(hipDeviceSynchronize());
    must(hipFree(block));
    (void)hipMemset(block, 1, 64);
    return 0;
}
