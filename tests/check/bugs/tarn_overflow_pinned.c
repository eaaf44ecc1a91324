// SPDX-License-Identifier: Apache-2.0
// A fill goes past the requested size of pinned memory, inside its last page. Tarn refuses it.
// EXPECT: ERROR heap-overflow: write of 1024 byte(s) at 0x..., wrong from 0x... on by tarn_fill, past the end of a block of pinned memory of 1000 byte(s)
// EXPECT:   access by thread
// EXPECT: tarn_overflow_pinned.c:15
// EXPECT:   allocated by thread
// EXPECT: tarn_overflow_pinned.c:14

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    void *ptr = NULL;
    must(tarn_host_alloc(device, 1000, 0, &ptr));
    if (tarn_fill(device, TARN_ADDR(ptr), 0, 1, 1024, TARN_STREAM_NONE) == TARN_OK) return 1;
    must(tarn_host_free(ptr));
    must(tarn_device_close(device));
    return 0;
}
