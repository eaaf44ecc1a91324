// SPDX-License-Identifier: Apache-2.0
// A host function copies what another stream may still be filling. The host has waited for that
// stream before the function runs, but not before it was submitted.
// EXPECT: ERROR host-race: read of 4096 byte(s) at 0x... by tarn_copy on the host is unordered with the write by tarn_fill on stream 0x..., in a block of device memory of 4096 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... copy_out .../tarn_function_race.c:21
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../tarn_function_race.c:36

#include "check/support/tarn.h"

#include <stdatomic.h>

enum { BYTES = 4096 };

static char out[BYTES];
static tarn_addr block;
static _Atomic int filled;

static void copy_out(void *device) {
    must(tarn_copy(device, TARN_ADDR(out), block, BYTES, TARN_STREAM_NONE));
}

static void wait_until_filled(void *arg) {
    (void)arg;
    while (!filled) {
    }
}

int main(void) {
    tarn_device *device = open_device();
    tarn_stream fills = make_stream(device), calls = make_stream(device);
    must(tarn_memory_alloc(device, BYTES, &block));
    must(tarn_stream_call(calls, wait_until_filled, NULL));
    must(tarn_stream_call(calls, copy_out, device));
    must(tarn_fill(device, block, 1, 1, BYTES, fills));
    must(tarn_stream_synchronize(fills, TARN_FOREVER));
    filled = 1;
    must(tarn_stream_synchronize(calls, TARN_FOREVER));
    must(tarn_stream_destroy(fills));
    must(tarn_stream_destroy(calls));
    must(tarn_memory_free(block, 0));
    must(tarn_device_close(device));
    return 0;
}
