// SPDX-License-Identifier: Apache-2.0
// A block of which only a part was written sleeps and wakes. The library copies all of it.

#include "check/support/tarn.h"

enum { BYTES = 4 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_pool_request request = TARN_INIT(tarn_pool_request);
    request.bytes = BYTES;
    request.tag = 1;
    tarn_addr block = 0;
    must(tarn_pool_alloc_with(pool, &request, &block));
    must(tarn_fill(device, block, 1, 1, BYTES / 4, TARN_STREAM_NONE));
    must(tarn_pool_sleep(pool, 1, 0, NULL));
    must(tarn_pool_wake(pool, 1));
    must(tarn_copy(device, block + BYTES / 2, block, BYTES / 4, TARN_STREAM_NONE));
    must(tarn_pool_free(pool, block));
    end_pool(device, pool);
    return 0;
}
