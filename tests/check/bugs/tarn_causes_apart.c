// SPDX-License-Identifier: Apache-2.0
// A block is read past its end, and is freed twice. The first mistake did not cause the second one.
// EXPECT: ERROR heap-overflow: read of 1000 byte(s)
// EXPECT: ERROR double-free: region R1
// EXPECT: CAUSES, the first error on top:
// EXPECT:    1. [#1] heap-overflow
// EXPECT:    2. [#2] double-free

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_SEGMENTS);
    static char out[1000];
    tarn_addr block = 0;
    must(tarn_pool_alloc(pool, 900, TARN_STREAM_NONE, &block));
    must(tarn_fill(device, block, 1, 1, 900, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), block, sizeof out, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    (void)tarn_pool_free(pool, block);
    end_pool(device, pool);
    return 0;
}
