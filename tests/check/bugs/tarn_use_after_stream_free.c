// SPDX-License-Identifier: Apache-2.0
// A block is freed while work of a stream, that the pool does not know of, still uses it.
// EXPECT: ERROR stream-use-after-free: free in order of stream 0x... of ... byte(s) at 0x... that
// tarn_fill on stream 0x... may still write

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream one = make_stream(device), two = make_stream(device);
    tarn_event event = 0;
    tarn_addr block = 0;
    must(tarn_event_create(device, &event));
    must(tarn_pool_alloc(pool, 1 << 20, one, &block));
    must(tarn_event_record(event, one));
    must(tarn_stream_wait(two, event, 0));
    must(tarn_fill(device, block, 0, 1, 1 << 20, two));
    must(tarn_pool_free(pool, block));
    must(tarn_stream_destroy(two));
    must(tarn_stream_destroy(one));
    must(tarn_event_destroy(event));
    must(tarn_pool_destroy(pool));
    must(tarn_device_close(device));
    return 0;
}
