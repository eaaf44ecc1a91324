// SPDX-License-Identifier: Apache-2.0
// Blocks of all sizes behind a fence, on streams as well.
// OPTIONS: --fence

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream stream = make_stream(device);
    for (unsigned i = 1; i < 50; i++) {
        tarn_addr block = 0;
        must(tarn_pool_alloc(pool, 333 * i, stream, &block));
        must(tarn_fill(device, block, i, 1, 333 * i, stream));
        must(tarn_pool_free(pool, block));
        block = take(pool, 333 * i);
        memset((void *)(uintptr_t)block, 1, 333 * i);
        must(tarn_pool_free(pool, block));
    }
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
    return 0;
}
