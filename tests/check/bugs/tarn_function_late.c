// SPDX-License-Identifier: Apache-2.0
// The host copies out of a block that a host function has still to fill.
// EXPECT: ERROR host-race: write of 4096 byte(s) at 0x... by tarn_fill on the host is unordered with the read by tarn_copy on the host, in a block of device memory of 4096 byte(s) at 0x...
// EXPECT:   access by thread
// EXPECT:     ... fill_late .../tarn_function_late.c:22
// EXPECT:   earlier access by thread
// EXPECT:     ... main .../tarn_function_late.c:31

#include "check/support/tarn.h"

#include <stdatomic.h>

enum { BYTES = 4096 };

static char out[BYTES];
static tarn_addr block;
static _Atomic int copied;

static void fill_late(void *device) {
    while (!copied) {
    }
    must(tarn_fill(device, block, 1, 1, BYTES, TARN_STREAM_NONE));
}

int main(void) {
    tarn_device *device = open_device();
    tarn_stream calls = make_stream(device);
    must(tarn_memory_alloc(device, BYTES, &block));
    must(tarn_fill(device, block, 0, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_stream_call(calls, fill_late, device));
    must(tarn_copy(device, TARN_ADDR(out), block, BYTES, TARN_STREAM_NONE));
    copied = 1;
    must(tarn_stream_synchronize(calls, TARN_FOREVER));
    must(tarn_stream_destroy(calls));
    must(tarn_memory_free(block, 0));
    must(tarn_device_close(device));
    return 0;
}
