// SPDX-License-Identifier: Apache-2.0
// A host function uses a block that is freed behind it, in order of its stream, before it runs. Another
// stream that waits for the function frees a second one.

#include "check/support/tarn.h"

#include <stdatomic.h>

enum { BYTES = 4096 };

static char out[BYTES];
static tarn_device *device;
static tarn_addr blocks[2];
static _Atomic int freed;

static void copy_out(void *arg) {
    (void)arg;
    while (!freed) {
    }
    for (int i = 0; i < 2; i++)
        must(tarn_copy(device, TARN_ADDR(out), blocks[i], BYTES, TARN_STREAM_NONE));
}

int main(void) {
    device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream calls = make_stream(device), behind = make_stream(device);
    tarn_event event = 0;
    must(tarn_event_create(device, &event));
    for (int i = 0; i < 2; i++) {
        must(tarn_pool_alloc(pool, BYTES, calls, &blocks[i]));
        must(tarn_fill(device, blocks[i], 1, 1, BYTES, calls));
    }
    must(tarn_stream_call(calls, copy_out, NULL));
    must(tarn_event_record(event, calls));
    must(tarn_stream_wait(behind, event, 0));
    must(tarn_pool_free(pool, blocks[0]));
    must(tarn_pool_free_on(pool, blocks[1], behind));
    freed = 1;
    must(tarn_stream_synchronize(behind, TARN_FOREVER));
    must(tarn_event_destroy(event));
    must(tarn_stream_destroy(calls));
    must(tarn_stream_destroy(behind));
    end_pool(device, pool);
    return 0;
}
