// SPDX-License-Identifier: Apache-2.0
// An allocator of the program, in one block of device memory, ends a block while a fill may still
// write it. The report names the block, not the memory that it lies in.
// EXPECT: ERROR stream-use-after-free: free in order of the host of 1000 byte(s) at 0x... that tarn_fill on stream 0x... may still write dev 0...
// EXPECT:   is 0 byte(s) inside freed region R... size 1000 "activation", freed...
// EXPECT:   in heap H... size 65536 "arena"...
// EXPECT:   freed by thread ...
// EXPECT:     ... tarn_annotate_region_end ...
// EXPECT:     ... main ...tarn_arena_freed_in_flight.c:...
// EXPECT: SUMMARY: 1 error(s), 0 warning(s)...

#include "check/support/tarn.h"

enum { ARENA = 65536, BLOCK = 1000 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_addr arena = 0;
    must(tarn_memory_alloc(device, ARENA, &arena));
    must(tarn_annotate_heap_begin(arena, ARENA, "arena"));

    must(tarn_annotate_region_begin(arena, BLOCK, "activation"));
    must(tarn_fill(device, arena, 1, 1, BLOCK, stream));
    must(tarn_annotate_region_end(arena, TARN_STREAM_NONE));

    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_annotate_heap_end(arena));
    must(tarn_memory_free(arena, 0));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
