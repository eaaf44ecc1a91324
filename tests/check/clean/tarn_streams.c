// SPDX-License-Identifier: Apache-2.0
// Two streams that wait for each other as they must, and a pool that knows of both.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);

    tarn_stream one = make_stream(device), two = make_stream(device);
    tarn_event event = 0;
    must(tarn_event_create(device, &event));
    for (unsigned i = 0; i < 8; i++) {
        tarn_addr block = 0;
        must(tarn_pool_alloc(pool, 1 << 20, one, &block));
        must(tarn_fill(device, block, i, 1, 1 << 20, one));
        must(tarn_event_record(event, one));
        must(tarn_stream_wait(two, event, 0));
        must(tarn_fill(device, block, i, 1, 1 << 20, two));
        must(tarn_pool_used_on(pool, block, two));
        must(tarn_pool_free(pool, block));
    }
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(two));
    must(tarn_event_destroy(event));
    end_pool(device, pool);
    return 0;
}
