// SPDX-License-Identifier: Apache-2.0
// A reservation is never released.
// EXPECT: ERROR resource-leak: 1 reservation of 2097152 byte(s) in all

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_addr addr = 0;
    must(tarn_space_reserve(device, 2 << 20, 0, 0, &addr));
    return 0;
    must(tarn_device_close(device));
    return 0;
}
