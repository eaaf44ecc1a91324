// SPDX-License-Identifier: Apache-2.0
// The host copies out what a stream may still be writing.
// EXPECT: ERROR host-race: read of 64 byte(s) at 0x... by tarn_copy on ... is unordered with the
// write by tarn_fill on stream 0x...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    char out[64];
    tarn_stream stream = make_stream(device);
    tarn_addr block = 0;
    must(tarn_memory_alloc(device, 1 << 20, &block));
    must(tarn_fill(device, block, 1, 1, 1 << 20, stream));
    must(tarn_copy(device, TARN_ADDR(out), block, sizeof out, TARN_STREAM_NONE));
    must(tarn_stream_destroy(stream));
    must(tarn_memory_free(block, 0));
    must(tarn_device_close(device));
    return 0;
}
