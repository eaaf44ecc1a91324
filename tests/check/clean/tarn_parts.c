// SPDX-License-Identifier: Apache-2.0
// The parts of a function change what work before them wrote. Work of another stream reads it behind
// an event that was recorded behind the parts.
#include "check/support/tarn.h"

#include <sched.h>
#include <stdatomic.h>

enum { PARTS = 4, BYTES = 1000 };

static tarn_device *device;
static tarn_addr block;
static _Atomic bool over;

static void write_part(void *arg, uint64_t part) {
    (void)arg;
    must(tarn_fill(device, block + part * (BYTES / PARTS), 1, 1, BYTES / PARTS, TARN_STREAM_NONE));
}

static void go_on(void *arg) {
    (void)arg;
    atomic_store(&over, true);
}

int main(void) {
    device = open_device();
    tarn_pool *pool = make_pool(device, TARN_POOL_EXPANDABLE);
    tarn_stream one = make_stream(device);
    tarn_stream two = make_stream(device);
    tarn_event event = 0;
    char read[BYTES];
    block = take(pool, BYTES);
    must(tarn_event_create(device, &event));
    must(tarn_fill(device, block, 0, 1, BYTES, one));
    must(tarn_stream_run(one, write_part, NULL, PARTS));
    must(tarn_stream_call(one, go_on, NULL));
    while (!atomic_load(&over)) (void)sched_yield();
    must(tarn_event_record(event, one));
    must(tarn_stream_wait(two, event, 0));
    must(tarn_copy(device, TARN_ADDR(read), block, BYTES, two));
    must(tarn_stream_synchronize(two, TARN_FOREVER));
    must(tarn_pool_free(pool, block));
    must(tarn_event_destroy(event));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(two));
    end_pool(device, pool);
    return 0;
}
