// SPDX-License-Identifier: Apache-2.0
// An error path returns without the destruction of an array.
// EXPECT: ERROR resource-leak: 1 device array of 4096 byte(s) in all
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_array_leak.c:11

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_array table = make_array(device, 64, 16, 1);
    tarn_array kept = make_array(device, 64, 16, 1);
    if (table == 0) return 1;
    must(tarn_array_destroy(kept));
    return 0;
}
