// SPDX-License-Identifier: Apache-2.0
// A box of rows is written without its last column of bytes, and copied with it.
// EXPECT: ERROR uninitialised-read: 1 of 64 byte(s) at 0x... never written since

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = NULL;
    static char out[64 * 8];
    tarn_addr memory = 0;
    must(tarn_device_open("sim:0,memory=256M", &device));
    must(tarn_memory_alloc(device, 256 * 8, &memory));
    tarn_fill_desc fill = TARN_INIT(tarn_fill_desc);
    fill.dst = memory;
    fill.width = 63;
    fill.height = 8;
    fill.pitch = 256;
    must(tarn_fill_box(device, &fill, TARN_STREAM_NONE));
    tarn_copy_desc copy = TARN_INIT(tarn_copy_desc);
    copy.dst = TARN_ADDR(out);
    copy.dst_pitch = 64;
    copy.src = memory;
    copy.src_pitch = 256;
    copy.width = 64;
    copy.height = 8;
    must(tarn_copy_box(device, &copy, TARN_STREAM_NONE));
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
