// SPDX-License-Identifier: Apache-2.0
// Ordinary memory is freed to a pool.
// EXPECT: ERROR invalid-free: ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    int local = 0;
    (void)tarn_pool_free(pool, TARN_ADDR(&local));
    end_pool(device, pool);
    return 0;
}
