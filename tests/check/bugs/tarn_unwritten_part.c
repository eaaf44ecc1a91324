// SPDX-License-Identifier: Apache-2.0
// A fill writes the first 1000 bytes of plain memory, and a copy reads 2000.
// EXPECT: ERROR uninitialised-read: 1000 of 2000 byte(s) at 0x... never written since

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    static char out[2000];
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, sizeof out, &memory));
    must(tarn_fill(device, memory, 1, 1, 1000, TARN_STREAM_NONE));
    must(tarn_copy(device, TARN_ADDR(out), memory, sizeof out, TARN_STREAM_NONE));
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
