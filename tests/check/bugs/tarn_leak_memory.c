// SPDX-License-Identifier: Apache-2.0
// Plain memory is never freed.
// EXPECT: ERROR resource-leak: 1 ... of 1048576 byte(s) in all

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_addr addr = 0;
    must(tarn_memory_alloc(device, 1 << 20, &addr));
    return 0;
    must(tarn_device_close(device));
    return 0;
}
