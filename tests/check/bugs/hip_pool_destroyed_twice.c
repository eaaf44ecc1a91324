// SPDX-License-Identifier: Apache-2.0
// A memory pool is destroyed twice.
// EXPECT: ERROR bad-handle: hipMemPoolDestroy of 0x..., which names nothing
// EXPECT:   freed by thread
// EXPECT:     ... main .../hip_pool_destroyed_twice.c:20
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_pool_destroyed_twice.c:18
// EXPECT:   first freed by thread
// EXPECT:     ... main .../hip_pool_destroyed_twice.c:19

#include "check/support/hip.h"

int main(void) {
    hipMemPoolProps props = {0};
    hipMemPool_t pool = NULL;
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    must(hipMemPoolCreate(&pool, &props));
    must(hipMemPoolDestroy(pool));
    (void)hipMemPoolDestroy(pool);
    return 0;
}
