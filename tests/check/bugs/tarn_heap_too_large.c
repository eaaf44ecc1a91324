// SPDX-License-Identifier: Apache-2.0
// An arena is described with twice the size of the memory below it.
// EXPECT: ERROR heap-exceeds-memory: heap H1 [0x...,0x...) exceeds the block of device memory [0x...,0x...)
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_heap_too_large.c:15
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_heap_too_large.c:14

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, 65536, &memory));
    (void)tarn_annotate_heap_begin(memory, 131072, "arena");
    (void)tarn_annotate_heap_end(memory);
    must(tarn_memory_free(memory, 0));
    must(tarn_device_close(device));
    return 0;
}
