// SPDX-License-Identifier: Apache-2.0
// A fill in stream order runs over the end of its block.
// EXPECT: ERROR heap-overflow: write of 1001 byte(s) at 0x... by tarn_fill
// EXPECT: region R1 ... size 1000

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_stream stream = make_stream(device);
    tarn_addr block;
    must(tarn_pool_alloc(pool, 1000, stream, &block));
    must(tarn_fill(device, block, 0, 1, 1001, stream));
    must(tarn_pool_free(pool, block));
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
    return 0;
}
