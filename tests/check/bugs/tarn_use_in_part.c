// SPDX-License-Identifier: Apache-2.0
// A part of a function in a stream, on any thread of the library, writes to memory that was freed.
// EXPECT: ERROR use-after-free: write of 64 byte(s) at 0x... by tarn_fill, in a block of device memory
// EXPECT:   access by thread
// EXPECT: #0 0x... tarn_fill
// EXPECT: #1 0x... misuse

#include "check/support/tarn.h"

static tarn_device *device;
static tarn_addr block;

static void misuse(void *arg, uint64_t part) {
    (void)arg;
    if (part == 7) (void)tarn_fill(device, block, 1, 1, 64, TARN_STREAM_NONE);
}

int main(void) {
    device = open_device();
    tarn_stream stream = make_stream(device);
    must(tarn_memory_alloc(device, 4096, &block));
    must(tarn_memory_free(block, 0));
    must(tarn_stream_run(stream, misuse, NULL, 20));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
