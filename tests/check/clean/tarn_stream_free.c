// SPDX-License-Identifier: Apache-2.0
// A block is freed in stream order behind the work that uses it, and reused there.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_stream stream = make_stream(device);
    for (unsigned i = 0; i < 8; i++) {
        tarn_addr block = 0;
        must(tarn_pool_alloc(pool, 1 << 20, stream, &block));
        must(tarn_fill(device, block, i, 1, 1 << 20, stream));
        must(tarn_pool_free(pool, block));
    }
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
    return 0;
}
