// SPDX-License-Identifier: Apache-2.0
// The program itself asks whether it may write, and may not.
// EXPECT: ERROR heap-overflow: write of 101 byte(s) at 0x...
// EXPECT: region R1 ... size 100

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 100);
    tarn_check_write(block, 101);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
