// SPDX-License-Identifier: Apache-2.0
// A block of one stream is used on another that waited for nothing.
// EXPECT: ERROR use-before-event: write of 4096 byte(s) at 0x... by tarn_fill on stream 0x...,
// allocated in order of stream 0x...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream one = make_stream(device), two = make_stream(device);
    tarn_addr block = 0;
    must(tarn_pool_alloc(pool, 4096, one, &block));
    must(tarn_fill(device, block, 0, 1, 4096, two));
    must(tarn_stream_synchronize(two, TARN_FOREVER));
    must(tarn_pool_free(pool, block));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(two));
    must(tarn_pool_destroy(pool));
    must(tarn_device_close(device));
    return 0;
}
