// SPDX-License-Identifier: Apache-2.0
// A handle to physical memory is never released.
// EXPECT: ERROR resource-leak: 1 handle...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_phys phys = 0;
    must(tarn_phys_create(device, 2 << 20, NULL, &phys));
    return 0;
    must(tarn_device_close(device));
    return 0;
}
