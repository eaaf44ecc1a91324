// SPDX-License-Identifier: Apache-2.0
// A box of rows is copied inside a device. In each row the last 16 of 64 bytes were never written.
// OPTIONS: --told-only
// EXPECT: ERROR uninitialised-read: 16 of 64 byte(s) at 0x... never written since registration
// of R1, copied to R2 unwritten, read by tarn_copy

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    static char out[64];
    tarn_addr from = 0, to = 0;
    must(tarn_memory_alloc(device, 4096, &from));
    must(tarn_memory_alloc(device, 4096, &to));
    for (unsigned row = 0; row < 8; row++)
        must(tarn_fill(device, from + row * 128, 1, 1, 48, TARN_STREAM_NONE));
    tarn_copy_desc desc = TARN_INIT(tarn_copy_desc);
    desc.dst = to;
    desc.src = from;
    desc.width = 64;
    desc.height = 8;
    desc.dst_pitch = 64;
    desc.src_pitch = 128;
    must(tarn_copy_box(device, &desc, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), to + 128, 64, TARN_STREAM_NONE));
    must(tarn_memory_free(from, 0));
    must(tarn_memory_free(to, 0));
    must(tarn_device_close(device));
    return 0;
}
