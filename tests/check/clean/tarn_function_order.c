// SPDX-License-Identifier: Apache-2.0
// Host functions touch what other streams have filled or will fill, in the order that events make.
// They run after all of it was submitted.

#include "check/support/tarn.h"

#include <stdatomic.h>

enum { BYTES = 4096 };

static char out[BYTES];
static tarn_addr block;
static _Atomic int submitted;

static void wait_until_submitted(void *arg) {
    (void)arg;
    while (!submitted) {
    }
}

static void copy_out(void *device) {
    must(tarn_copy(device, TARN_ADDR(out), block, BYTES, TARN_STREAM_NONE));
}

static void fill(void *device) { must(tarn_fill(device, block, 2, 1, BYTES, TARN_STREAM_NONE)); }

static void order(tarn_event event, tarn_stream first, tarn_stream then) {
    must(tarn_event_record(event, first));
    must(tarn_stream_wait(then, event, 0));
}

int main(void) {
    tarn_device *device = open_device();
    tarn_stream fills = make_stream(device), calls = make_stream(device);
    tarn_event event = 0;
    must(tarn_event_create(device, &event));
    must(tarn_memory_alloc(device, BYTES, &block));
    must(tarn_stream_call(calls, wait_until_submitted, NULL));
    must(tarn_fill(device, block, 1, 1, BYTES, fills));
    order(event, fills, calls);
    must(tarn_stream_call(calls, copy_out, device));
    must(tarn_stream_call(calls, fill, device));
    must(tarn_copy(device, TARN_ADDR(out), block, BYTES, calls));
    order(event, calls, fills);
    must(tarn_fill(device, block, 3, 1, BYTES, fills));
    order(event, fills, calls);
    must(tarn_fill(device, block, 4, 1, BYTES, calls));
    submitted = 1;
    must(tarn_stream_synchronize(fills, TARN_FOREVER));
    must(tarn_stream_synchronize(calls, TARN_FOREVER));
    must(tarn_event_destroy(event));
    must(tarn_stream_destroy(fills));
    must(tarn_stream_destroy(calls));
    must(tarn_memory_free(block, 0));
    must(tarn_device_close(device));
    return 0;
}
