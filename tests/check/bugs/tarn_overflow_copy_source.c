// SPDX-License-Identifier: Apache-2.0
// A copy reads 16 bytes too many.
// EXPECT: ERROR heap-overflow: read of 1016 byte(s) at 0x... by tarn_copy
// EXPECT: region R1 ... size 1000

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    char out[1016];
    tarn_addr block = take(pool, 1000);
    must(tarn_fill(device, block, 1, 1, 1000, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), block, sizeof out, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
