// SPDX-License-Identifier: Apache-2.0
// A block is freed twice.
// EXPECT: ERROR double-free: ...
// EXPECT:   is 0 byte(s) inside freed region R1 ... size 1000
// EXPECT:   freed by thread ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000);
    must(tarn_pool_free(pool, block));
    (void)tarn_pool_free(pool, block);
    end_pool(device, pool);
    return 0;
}
