// SPDX-License-Identifier: Apache-2.0
// A fill runs past the end of plain memory. Tarn refuses it.
// EXPECT: ERROR heap-overflow: write of 5000 byte(s) at 0x..., wrong from 0x... on by tarn_fill, past the end of a block of device memory of 4096 byte(s)
// EXPECT:   access by thread
// EXPECT: tarn_overflow_plain.c:16
// EXPECT:   allocated by thread
// EXPECT: tarn_overflow_plain.c:15

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_addr addr = 0;
    /* as many bytes as a page has */
    must(tarn_memory_alloc(device, 4096, &addr));
    if (tarn_fill(device, addr, 0, 1, 5000, TARN_STREAM_NONE) == TARN_OK) return 1;
    must(tarn_memory_free(addr, 0));
    must(tarn_device_close(device));
    return 0;
}
