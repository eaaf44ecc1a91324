// SPDX-License-Identifier: Apache-2.0
// A block is copied after it was freed.
// EXPECT: ERROR use-after-free: read of 16 byte(s) at 0x... by tarn_copy
// EXPECT:   is 0 byte(s) inside freed region R1 ... size 64

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    char out[16];
    tarn_addr block = take(pool, 64), keep = take(pool, 64);
    must(tarn_fill(device, block, 1, 1, 64, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    must(tarn_copy(device, TARN_ADDR(out), block, sizeof out, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, keep));
    end_pool(device, pool);
    return 0;
}
