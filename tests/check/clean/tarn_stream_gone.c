// SPDX-License-Identifier: Apache-2.0
// Blocks are freed in the order of a stream, which then ends. Later the pool needs their memory for
// other streams, and looks whether the work has passed.

#include "check/support/tarn.h"

enum { BYTES = 24 << 20 };

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream last = make_stream(device);
    for (int i = 0; i < 4; i++) {
        tarn_stream stream = make_stream(device);
        tarn_addr a = 0, b = 0, c = 0;
        must(tarn_pool_alloc(pool, BYTES, stream, &a));
        must(tarn_pool_alloc(pool, BYTES, stream, &b));
        must(tarn_fill(device, a, 1, 1, BYTES, stream));
        must(tarn_pool_free(pool, a));
        must(tarn_pool_free(pool, b));
        must(tarn_stream_destroy(stream));
        must(tarn_pool_alloc(pool, 2 * BYTES, last, &c)); // needs the memory of both
        must(tarn_pool_free(pool, c));
    }
    must(tarn_stream_destroy(last));
    end_pool(device, pool);
    return 0;
}
