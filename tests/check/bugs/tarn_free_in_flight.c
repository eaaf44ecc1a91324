// SPDX-License-Identifier: Apache-2.0
// Plain memory is freed without waiting while a stream writes to it.
// EXPECT: ERROR free-in-flight: 8388608 byte(s) at 0x... that tarn_fill on stream 0x... may still
// write

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_stream stream = make_stream(device);
    tarn_addr block = 0;
    must(tarn_memory_alloc(device, 8 << 20, &block));
    must(tarn_fill(device, block, 1, 1, 8 << 20, stream));
    must(tarn_memory_free(block, TARN_NO_WAIT));
    (void)tarn_stream_synchronize(stream, TARN_FOREVER);
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
