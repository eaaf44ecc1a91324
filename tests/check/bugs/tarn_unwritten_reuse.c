// SPDX-License-Identifier: Apache-2.0
// A block comes back in order of a stream, after the program has waited for all work. What the earlier
// block contained does not count.
// EXPECT: ERROR uninitialised-read: 4096 of 4096 byte(s) at 0x... never written since registration of R2

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    static char out[4096];
    tarn_stream stream = make_stream(device);
    tarn_addr block = 0;
    for (int round = 0; round < 2; round++) {
        must(tarn_pool_alloc(pool, sizeof out, stream, &block));
        if (round == 0) must(tarn_fill(device, block, 1, 1, sizeof out, stream));
        must(tarn_copy(device, TARN_ADDR(out), block, sizeof out, stream));
        must(tarn_stream_synchronize(stream, TARN_FOREVER));
        must(tarn_pool_free(pool, block));
        must(tarn_stream_synchronize(stream, TARN_FOREVER));
    }
    must(tarn_stream_destroy(stream));
    end_pool(device, pool);
    return 0;
}
