// SPDX-License-Identifier: Apache-2.0
// The owner of a block clears what it takes for its header: the padding of the block before it.
// EXPECT: ERROR heap-underflow: write of 128 byte(s) at 0x... by aclrtMemset
// EXPECT: is 64 byte(s) before region R... size 1024
// EXPECT: and 24 byte(s) after region R... size 1000
// EXPECT:     ... main .../acl_padding_overwritten.c:
#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(4096);
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 4096);
    mstxMemRegionHandle_t first = region(globalDomain, pool, memory, 1000);
    mstxMemRegionHandle_t second = region(globalDomain, pool, memory + 1088, 1024);
    must(aclrtMemset(memory + 1024, 128, 0, 128));
    end_handle(globalDomain, first);
    end_handle(globalDomain, second);
    mstxMemHeapUnregister(globalDomain, pool);
    end_acl(memory);
    return 0;
}
