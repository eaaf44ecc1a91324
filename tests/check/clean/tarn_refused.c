// SPDX-License-Identifier: Apache-2.0
// A copy that Tarn refuses is no access.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_addr block = take(pool, 1000);
    if (tarn_copy(device, block, block + 10, 100, TARN_STREAM_NONE) == TARN_OK) return 1;
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
