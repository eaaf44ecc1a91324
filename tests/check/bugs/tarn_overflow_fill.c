// SPDX-License-Identifier: Apache-2.0
// A fill of a block runs 8 bytes over its end, into a neighbour or not.
// EXPECT: ERROR heap-overflow: write of 1008 byte(s) at 0x... by tarn_fill
// EXPECT: region R1 ... size 1000
// EXPECT:   access by thread ...
// EXPECT:   allocated by thread ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000);
    must(tarn_fill(device, block, 0, 1, 1008, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
