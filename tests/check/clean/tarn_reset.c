// SPDX-License-Identifier: Apache-2.0
// A pool is reset with blocks live, as arenas are.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    for (unsigned i = 0; i < 4; i++) {
        (void)take(pool, 1000);
        (void)take(pool, 1 << 20);
        must(tarn_pool_reset(pool));
    }
    end_pool(device, pool);
    return 0;
}
