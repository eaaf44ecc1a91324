// SPDX-License-Identifier: Apache-2.0
// A copy begins 8 bytes before its block.
// EXPECT: ERROR heap-underflow: write of 64 byte(s) at 0x... by tarn_copy
// EXPECT:   is 8 byte(s) before region R... size 100000

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    static const char from[64];
    tarn_addr first = take(pool, 100000), block = take(pool, 100000);
    tarn_addr high = first > block ? first : block;
    must(tarn_pool_free(pool, first > block ? block : first));
    must(tarn_copy(device, high - 8, TARN_ADDR(from), 64, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, high));
    end_pool(device, pool);
    return 0;
}
