// SPDX-License-Identifier: Apache-2.0
// A memory pool is destroyed while one of its blocks is live.
// EXPECT: ERROR leak: 5000 byte(s) in 1 region(s)
// EXPECT:   allocated by thread
// EXPECT:     ... main .../hip_pool_destroyed_early.c:17

#include "check/support/hip.h"

int main(void) {
    hipStream_t stream = make_stream();
    hipMemPoolProps props = {0};
    hipMemPool_t pool = NULL;
    void *kept = NULL, *freed = NULL;
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    must(hipMemPoolCreate(&pool, &props));
    must(hipMallocFromPoolAsync(&kept, 5000, pool, stream));
    must(hipMallocFromPoolAsync(&freed, 5000, pool, stream));
    must(hipFreeAsync(freed, stream));
    must(hipStreamSynchronize(stream));
    must(hipMemPoolDestroy(pool));
    must(hipStreamDestroy(stream));
    return 0;
}
