// SPDX-License-Identifier: Apache-2.0
// A copy reads plain memory that was freed. Tarn refuses it.
// EXPECT: ERROR use-after-free: read of 64 byte(s) at 0x... by tarn_copy, in a block of device memory of 4096 byte(s) at 0x... that was freed
// EXPECT:   access by thread
// EXPECT: tarn_copy ...
// EXPECT: tarn_copy_from_freed.c:24
// EXPECT:   allocated by thread
// EXPECT: tarn_copy_from_freed.c:20
// EXPECT:   freed by thread
// EXPECT: tarn_copy_from_freed.c:22

#include "check/support/tarn.h"

enum { BYTES = 4096 };

int main(void) {
    tarn_device *device = open_device();
    static char host[64];
    tarn_addr addr = 0;
    must(tarn_memory_alloc(device, BYTES, &addr));
    must(tarn_fill(device, addr, 1, 1, BYTES, TARN_STREAM_NONE));
    must(tarn_memory_free(addr, 0));
    /* refused */
    if (tarn_copy(device, (tarn_addr)(uintptr_t)host, addr, 64, TARN_STREAM_NONE) == TARN_OK)
        return 1;
    must(tarn_device_close(device));
    return 0;
}
