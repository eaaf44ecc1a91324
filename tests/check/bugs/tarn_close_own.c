// SPDX-License-Identifier: Apache-2.0
// A program closes memory that it allocated itself, instead of freeing it.
// EXPECT: ERROR wrong-family-free: tarn_memory_close of 0x..., which is a block of device memory of 4096 byte(s) that this process allocated
// EXPECT:     ... main .../tarn_close_own.c:
// EXPECT:   allocated by thread

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, 4096, &memory));
    (void)tarn_memory_close(memory);
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
