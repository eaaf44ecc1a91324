// SPDX-License-Identifier: Apache-2.0
// A block of a memory pool is freed on a stream that does not wait for its allocation.
// EXPECT: ERROR use-before-event: free of 4096 byte(s) at 0x... by aclrtMemPoolFreeAsync on stream ..., allocated in order of
// EXPECT:     ... main .../acl_pool_free_before_allocation.c:19
// EXPECT:     ... main .../acl_pool_free_before_allocation.c:18

#include "check/support/acl.h"

int main(void) {
    aclrtMemPoolProps props = {.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED,
                               .location = {.type = ACL_MEM_LOCATION_TYPE_DEVICE}};
    aclrtMemPool pool = NULL;
    void *block = NULL;
    open_device();
    aclrtStream own = make_stream();
    aclrtStream other = make_stream();
    must(aclrtMemPoolCreate(&pool, &props));
    must(aclrtMemPoolMallocAsync(&block, 4096, pool, own));
    must(aclrtMemPoolFreeAsync(block, other));
    must(aclrtSynchronizeDevice());
    must(aclrtMemPoolDestroy(pool));
    must(aclrtDestroyStream(own));
    must(aclrtDestroyStream(other));
    close_device();
    return 0;
}
