// SPDX-License-Identifier: Apache-2.0
// Two tensors of one pool share bytes by mistake, and two streams fill them.
// EXPECT: ERROR region-overlap: R... [0x...,+4096) overlaps live R... by 2048 byte(s)
// EXPECT: ERROR copy-race: write of 2048 byte(s) at 0x... by aclrtMemsetAsync on stream 0x... is unordered with the write by aclrtMemsetAsync on stream 0x...
// EXPECT:   access by thread
// EXPECT:     ... main .../acl_pool_race.c:21
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../acl_pool_race.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../acl_pool_race.c:19

#include "check/support/acl_mstx.h"

int main(void) {
    char *memory = begin_acl(65536);
    aclrtStream one = make_stream(), other = make_stream();
    mstxMemHeapHandle_t pool = heap(globalDomain, memory, 65536);
    mstxMemRegionHandle_t first = region(globalDomain, pool, memory, 4096);
    mstxMemRegionHandle_t second = region(globalDomain, pool, memory + 2048, 4096);
    must(aclrtMemsetAsync(memory, 4096, 1, 4096, one));
    must(aclrtMemsetAsync(memory + 2048, 4096, 2, 4096, other));
    must(aclrtSynchronizeDevice());
    end_handle(globalDomain, first);
    end_handle(globalDomain, second);
    mstxMemHeapUnregister(globalDomain, pool);
    must(aclrtDestroyStream(one));
    must(aclrtDestroyStream(other));
    end_acl(memory);
    return 0;
}
