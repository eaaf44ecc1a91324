// SPDX-License-Identifier: Apache-2.0
// A library that rounds sizes up states the requested one. A fill of the program goes past it.
// EXPECT: ERROR heap-overflow: write of 1024 byte(s) at 0x..., wrong from 0x... on by tarn_fill
// EXPECT:   is 0 byte(s) after region R... size 1000
// EXPECT:   access by thread
// EXPECT: tarn_overflow_requested.c:23
// EXPECT:   allocated by thread
// EXPECT: tarn_overflow_requested.c:14

#include "check/support/tarn.h"

static tarn_addr allocate(tarn_device *device, uint64_t bytes) {
    tarn_addr addr = 0;
    must(tarn_memory_alloc(device, (bytes + 63) / 64 * 64, &addr));
    must(tarn_annotate_requested(addr, bytes));
    return addr;
}

int main(void) {
    tarn_device *device = open_device();
    tarn_addr addr = allocate(device, 1000);
    must(tarn_fill(device, addr, 0, 1, 1000, TARN_STREAM_NONE));
    must(tarn_fill(device, addr, 0, 1, 1024, TARN_STREAM_NONE));
    must(tarn_memory_free(addr, 0));
    must(tarn_device_close(device));
    return 0;
}
