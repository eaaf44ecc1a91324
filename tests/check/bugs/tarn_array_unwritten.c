// SPDX-License-Identifier: Apache-2.0
// The smaller levels of an image were never computed. The copy reads one row of the second level, and
// half of it was written.
// EXPECT: ERROR uninitialised-read: 32 of 64 byte(s) at byte 576 of a device array never written since creation of R1, read by tarn_array_copy
// EXPECT:   is 608 byte(s) inside region R1 [0x...) size 640 "device array"
// EXPECT:     ... main .../tarn_array_unwritten.c:25

#include "check/support/tarn.h"

enum { WIDTH = 32, HEIGHT = 4 };

int main(void) {
    tarn_device *device = open_device();
    static char bytes[WIDTH * HEIGHT * 4];
    tarn_array image = make_array(device, WIDTH, HEIGHT, 2);
    tarn_array_copy_desc whole = into_array(image, bytes, WIDTH, HEIGHT);
    must(tarn_array_copy(device, &whole, TARN_STREAM_NONE));
    tarn_array_copy_desc half = into_array(image, bytes, WIDTH / 4, 1);
    half.dst.level = 1;
    half.dst.y = 1;
    must(tarn_array_copy(device, &half, TARN_STREAM_NONE));
    tarn_array_copy_desc read = from_array(image, bytes, WIDTH / 2, 1);
    read.src.level = 1;
    read.src.y = 1;
    must(tarn_array_copy(device, &read, TARN_STREAM_NONE));
    must(tarn_array_destroy(image));
    must(tarn_device_close(device));
    return 0;
}
