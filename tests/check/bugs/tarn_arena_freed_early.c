// SPDX-License-Identifier: Apache-2.0
// The memory of an arena is freed before the arena ends.
// EXPECT: WARN heap-stale: the memory of heap H1 [0x...,0x...) is freed before the heap ends
// EXPECT:   called by thread
// EXPECT:     ... main .../tarn_arena_freed_early.c:21
// EXPECT:   registered by thread
// EXPECT:     ... main .../tarn_arena_freed_early.c:20
// EXPECT: ERROR double-heap-unregister: heap H1 [0x...,0x...) ended again; it ended by thread ..., with the memory beneath it
// EXPECT:   freed by thread
// EXPECT:     ... main .../tarn_arena_freed_early.c:22
// EXPECT:   registered by thread
// EXPECT:     ... main .../tarn_arena_freed_early.c:20

#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_addr memory = 0;
    must(tarn_memory_alloc(device, 65536, &memory));
    must(tarn_annotate_heap_begin(memory, 65536, "arena"));
    must(tarn_memory_free(memory, 0));
    (void)tarn_annotate_heap_end(memory);
    must(tarn_device_close(device));
    return 0;
}
