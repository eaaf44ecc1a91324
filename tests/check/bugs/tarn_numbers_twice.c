// SPDX-License-Identifier: Apache-2.0
// Memory of a simulated device, whose addresses are numbers, is freed twice, and once from its inside.
// EXPECT: ERROR invalid-free: tarn_memory_free of 0x..., which is 256 byte(s) inside a block of device memory of 4096 byte(s)
// EXPECT: ERROR double-free: tarn_memory_free of 0x... again, a block of device memory of 4096 byte(s)
// EXPECT:     ... main .../tarn_numbers_twice.c:

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = NULL;
    tarn_addr memory = 0;
    must(tarn_device_open("sim:0", &device));
    must(tarn_memory_alloc(device, 4096, &memory));
    (void)tarn_memory_free(memory + 256, 0);
    must(tarn_memory_free(memory, 0));
    (void)tarn_memory_free(memory, 0);
    must(tarn_device_close(device));
    return 0;
}
