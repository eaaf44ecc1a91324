// SPDX-License-Identifier: Apache-2.0
// Managed memory is freed, and then given to free().
// EXPECT: ERROR double-free: free of 0x... again, a block of pinned memory of 4096 byte(s)
// EXPECT:     ... main .../hip_free_again_by_libc.c:
// EXPECT:   first freed by thread

#include "check/support/hip.h"

int main(void) {
    void *memory = NULL;
    must(hipMallocManaged(&memory, 4096, hipMemAttachGlobal));
    must(hipFree(memory));
    free(memory);
    return 0;
}
