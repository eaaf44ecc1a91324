// SPDX-License-Identifier: Apache-2.0
// A fill of a block that grew in place runs over its new end.
// EXPECT: ERROR heap-overflow: write of 1600008 byte(s) at 0x... by tarn_fill
// EXPECT: region R1 ... size 1600000
// EXPECT:   access by thread ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000000);
    must(tarn_pool_extend(pool, block, 1600000));
    must(tarn_fill(device, block, 0, 1, 1600000, TARN_STREAM_NONE));
    must(tarn_fill(device, block, 0, 1, 1600008, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
