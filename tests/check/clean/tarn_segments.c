// SPDX-License-Identifier: Apache-2.0
// The same in segments, with large blocks.
// OPTIONS: --unused --told-only

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_SEGMENTS);

    for (unsigned i = 1; i < 16; i++) {
        tarn_addr block = take(pool, (uint64_t)i << 20);
        must(tarn_fill(device, block, i, 4, (uint64_t)i << 18, TARN_STREAM_NONE));
        must(tarn_pool_free(pool, block));
    }
    end_pool(device, pool);
    return 0;
}
