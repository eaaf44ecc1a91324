// SPDX-License-Identifier: Apache-2.0
// Two streams write parts of one array that have one column in common.
// EXPECT: ERROR copy-race: write of 4 byte(s) at 0x... by tarn_array_copy on stream 0x... is unordered with the write by tarn_array_copy on stream 0x..., in a device array of 4096 byte(s)
// EXPECT:     ... main .../tarn_array_race.c:20
// EXPECT:     ... main .../tarn_array_race.c:19

#include "check/support/tarn.h"

enum { SIDE = 32 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream left = make_stream(device), right = make_stream(device);
    static char bytes[2][SIDE * SIDE * 4];
    tarn_array image = make_array(device, SIDE, SIDE, 1);
    tarn_array_copy_desc one = into_array(image, bytes[0], SIDE / 2 + 1, SIDE);
    tarn_array_copy_desc other = into_array(image, bytes[1], SIDE / 2, SIDE);
    other.dst.x = SIDE / 2;
    must(tarn_array_copy(device, &one, left));
    must(tarn_array_copy(device, &other, right));
    must(tarn_stream_destroy(left));
    must(tarn_stream_destroy(right));
    must(tarn_array_destroy(image));
    must(tarn_device_close(device));
    return 0;
}
