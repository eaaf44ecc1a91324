// SPDX-License-Identifier: Apache-2.0
// Bytes go from block to block and back before they are written, so that a block gets its own bytes
// again. Then all of them are written.

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    static char out[1 << 16];
    tarn_addr a = 0, b = 0;
    must(tarn_memory_alloc(device, sizeof out, &a));
    must(tarn_memory_alloc(device, sizeof out, &b));
    for (int i = 0; i < 20; i++) {
        must(tarn_copy(device, b + 8 * (unsigned)i, a, 4096, TARN_STREAM_NONE));
        must(tarn_copy(device, a, b, sizeof out, TARN_STREAM_NONE));
    }
    must(tarn_fill(device, a, 1, 1, sizeof out, TARN_STREAM_NONE));
    must(tarn_copy(device, b, a, sizeof out, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), b, sizeof out, TARN_STREAM_NONE));
    must(tarn_memory_free(a, 0));
    must(tarn_memory_free(b, 0));
    must(tarn_device_close(device));
    return 0;
}
