// SPDX-License-Identifier: Apache-2.0
// A copy on one stream and a later fill of its source on another have no order.
// EXPECT: ERROR copy-race: write of 1048576 byte(s) at 0x... by tarn_fill on stream 0x... is
// unordered with the read by tarn_copy on stream 0x...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_stream one = make_stream(device), two = make_stream(device);
    tarn_addr from = 0, to = 0;
    must(tarn_memory_alloc(device, 1 << 20, &from));
    must(tarn_memory_alloc(device, 1 << 20, &to));
    must(tarn_fill(device, from, 1, 1, 1 << 20, TARN_STREAM_NONE));
    must(tarn_copy(device, to, from, 1 << 20, one));
    must(tarn_fill(device, from, 0, 1, 1 << 20, two));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(two));
    must(tarn_memory_free(from, 0));
    must(tarn_memory_free(to, 0));
    must(tarn_device_close(device));
    return 0;
}
