// SPDX-License-Identifier: Apache-2.0
// An address inside a block is freed.
// EXPECT: ERROR invalid-free: ... 16 byte(s) inside region R1; not a region start

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000);
    (void)tarn_pool_free(pool, block + 16);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
