// SPDX-License-Identifier: Apache-2.0
// A pool gives pages back and takes them again.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    for (unsigned i = 0; i < 4; i++) {
        tarn_addr block = take(pool, 8 << 20);
        must(tarn_fill(device, block, i, 1, 8 << 20, TARN_STREAM_NONE));
        must(tarn_pool_free(pool, block));
        must(tarn_pool_trim(pool, 0, 0, NULL));
    }
    end_pool(device, pool);
    return 0;
}
