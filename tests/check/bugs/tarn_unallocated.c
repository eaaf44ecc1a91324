// SPDX-License-Identifier: Apache-2.0
// A fill goes to bytes of the pool that were never handed out.
// EXPECT: ERROR unallocated-access: write of 16 byte(s) at 0x... by tarn_fill
// EXPECT: region R1 ... size 64

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 64);
    must(tarn_fill(device, block + 65536, 0, 1, 16, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
