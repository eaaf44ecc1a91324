// SPDX-License-Identifier: Apache-2.0
// A fill runs from one block of a pool into the next, which every checker without pools
// takes for good.
// EXPECT: ERROR cross-region-copy: tarn_fill of 4160 byte(s) at 0x... runs from R... (size 4096)
// into R... (size 4096)

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr one = take(pool, 4096), two = take(pool, 4096);
    tarn_addr low = one < two ? one : two;
    must(tarn_fill(device, low, 0, 1, 4096 + 64, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, one));
    must(tarn_pool_free(pool, two));
    end_pool(device, pool);
    return 0;
}
