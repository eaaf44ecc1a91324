// SPDX-License-Identifier: Apache-2.0
// A gradient is used on a second stream. The program reports that to the pool before it frees it.

#include "check/support/tarn.h"

enum { BYTES = 65536 };

int main(void) {
    tarn_device *device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream reduce = make_stream(device), step = make_stream(device);
    tarn_event ready = 0;
    must(tarn_event_create(device, &ready));
    for (int round = 0; round < 4; round++) {
        tarn_addr gradient = 0;
        must(tarn_pool_alloc(pool, BYTES, reduce, &gradient));
        must(tarn_fill(device, gradient, 1, 1, BYTES, reduce));
        must(tarn_event_record(ready, reduce));
        must(tarn_stream_wait(step, ready, 0));
        must(tarn_fill(device, gradient, 2, 1, BYTES, step));
        must(tarn_pool_used_on(pool, gradient, step));
        must(tarn_pool_free(pool, gradient));
    }
    must(tarn_stream_synchronize(reduce, TARN_FOREVER));
    must(tarn_stream_synchronize(step, TARN_FOREVER));
    must(tarn_event_destroy(ready));
    must(tarn_stream_destroy(reduce));
    must(tarn_stream_destroy(step));
    end_pool(device, pool);
    return 0;
}
