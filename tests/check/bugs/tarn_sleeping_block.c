// SPDX-License-Identifier: Apache-2.0
// A fill writes to a block that sleeps.
// EXPECT: ERROR permission-violation: write of 64 byte(s) at 0x... by tarn_fill, in a block that has no memory now: it sleeps, or was unmapped
// EXPECT: region R1
// EXPECT:   access by thread
// EXPECT: tarn_sleeping_block.c:24
// EXPECT:   allocated by thread
// EXPECT: tarn_sleeping_block.c:21

#include "check/support/tarn.h"

enum { BYTES = 4 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    tarn_addr block = 0;
    request.bytes = BYTES;
    request.tag = 1;
    must(tarn_pool_alloc_with(pool, &request, &block));
    must(tarn_fill(device, block, 1, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_pool_sleep(pool, 1, 0, NULL));
    (void)tarn_fill(device, block, 1, 1, 64, TARN_STREAM_NONE);
    must(tarn_pool_wake(pool, 1));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
