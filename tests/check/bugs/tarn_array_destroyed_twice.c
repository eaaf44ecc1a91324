// SPDX-License-Identifier: Apache-2.0
// Two owners destroy one array, and the first one uses it afterwards.
// EXPECT: ERROR double-free: tarn_array_destroy of 0x... again, a device array of 4096 byte(s)
// EXPECT:     ... main .../tarn_array_destroyed_twice.c:16
// EXPECT: ERROR bad-handle: a call with 0x..., which was destroyed
// EXPECT:     ... main .../tarn_array_destroyed_twice.c:17

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    static char bytes[256];
    tarn_array table = make_array(device, 64, 16, 1);
    tarn_array_copy_desc copy = into_array(table, bytes, 64, 1);
    must(tarn_array_destroy(table));
    (void)tarn_array_destroy(table);
    (void)tarn_array_copy(device, &copy, TARN_STREAM_NONE);
    must(tarn_device_close(device));
    return 0;
}
