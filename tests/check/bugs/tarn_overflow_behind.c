// SPDX-License-Identifier: Apache-2.0
// A fill begins right behind a block.
// EXPECT: ERROR heap-overflow: write of 8 byte(s) at 0x...
// EXPECT:   is 0 byte(s) after region R1 ... size 100

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 100);
    must(tarn_fill(device, block + 100, 0, 1, 8, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
