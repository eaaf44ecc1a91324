// SPDX-License-Identifier: Apache-2.0
// An arena is described in memory that was freed.
// EXPECT: ERROR heap-in-free-memory: heap H1 [0x...,0x...) lies in a block of device memory of 65536 byte(s) that was freed
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_heap_over_freed.c:18
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_heap_over_freed.c:16
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_heap_over_freed.c:17

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, 65536, &memory));
    must(tarn_memory_free(memory, 0));
    (void)tarn_annotate_heap_begin(memory, 65536, "arena");
    (void)tarn_annotate_heap_end(memory);
    must(tarn_device_close(device));
    return 0;
}
