// SPDX-License-Identifier: Apache-2.0
// Plain memory is freed twice.
// EXPECT: ERROR double-free: tarn_memory_free of 0x... again, ...

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();

    tarn_addr addr = 0;
    must(tarn_memory_alloc(device, 1 << 20, &addr));
    must(tarn_memory_free(addr, 0));
    (void)tarn_memory_free(addr, 0);
    must(tarn_device_close(device));
    return 0;
}
