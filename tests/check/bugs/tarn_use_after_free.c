// SPDX-License-Identifier: Apache-2.0
// A block is filled after it was freed.
// EXPECT: ERROR use-after-free: write of 1 byte(s) at 0x... by tarn_fill
// EXPECT:   is 5 byte(s) inside freed region R1 ... size 1000
// EXPECT:   allocated by thread ...
// EXPECT:   freed by thread ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000), keep = take(pool, 1000);
    must(tarn_pool_free(pool, block));
    must(tarn_fill(device, block + 5, 0, 1, 1, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, keep));
    end_pool(device, pool);
    return 0;
}
