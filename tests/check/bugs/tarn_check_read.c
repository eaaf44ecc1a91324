// SPDX-License-Identifier: Apache-2.0
// The program itself asks whether what it reads was written, and it was not.
// OPTIONS: --told-only
// EXPECT: ERROR uninitialised-read: 10 of 10 byte(s) at 0x...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 100);
    tarn_check_read(block + 50, 10);
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
