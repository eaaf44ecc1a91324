// SPDX-License-Identifier: Apache-2.0
// A copy reads plain memory that nothing has written.
// EXPECT: ERROR uninitialised-read: 4096 of 4096 byte(s) at 0x... never written since
// EXPECT:   allocated by
// EXPECT: tarn_memory_alloc

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    static char out[4096];
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, sizeof out, &memory));
    must(tarn_copy(device, TARN_ADDR(out), memory, sizeof out, TARN_STREAM_NONE));
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
