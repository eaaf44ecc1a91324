// SPDX-License-Identifier: Apache-2.0
// The CPU cannot reach the memory of this device, so each byte's state is known, also in the middle.
// EXPECT: ERROR uninitialised-read: 10 of 20 byte(s) at 0x... never written since

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = NULL;
    static char out[20];
    tarn_addr memory = 0;
    must(tarn_device_open("host:0,memory=256M,access=strict", &device));
    must(tarn_memory_alloc(device, 4096, &memory));
    must(tarn_fill(device, memory + 1000, 1, 1, 10, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), memory + 1000, 10, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), memory + 1000, sizeof out, TARN_STREAM_NONE));
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
