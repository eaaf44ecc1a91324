// SPDX-License-Identifier: Apache-2.0
// A block grows in place into memory that was freed on its stream, and all of it is used.

#include "check/support/tarn.h"

enum { BYTES = 1 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_stream stream = make_stream(device);
    tarn_addr block = 0, behind = 0;
    must(tarn_pool_alloc(pool, BYTES, stream, &block));
    must(tarn_pool_alloc(pool, BYTES, stream, &behind));
    must(tarn_fill(device, block, 1, 1, BYTES, stream));
    must(tarn_fill(device, behind, 2, 1, BYTES, stream));
    must(tarn_pool_free(pool, behind));
    must(tarn_pool_extend(pool, block, 2 * BYTES - 100));
    must(tarn_fill(device, block, 3, 1, 2 * BYTES - 100, stream));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    ((char *)block)[2 * BYTES - 101] = 4;
    must(tarn_pool_free(pool, block));
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
    return 0;
}
