// SPDX-License-Identifier: Apache-2.0
// A bump pool advances by the requested size, although its blocks occupy a rounded one.
// EXPECT: ERROR region-overlap: R... [0x...,+1000) overlaps live R... by 24 byte(s), which one of them occupies behind its end
// EXPECT: is 0 byte(s) inside region R... "second"
// EXPECT: and 0 byte(s) after region R... "first"
// EXPECT:     ... main .../tarn_overlap_occupied.c:17
// EXPECT:     ... main .../tarn_overlap_occupied.c:16
#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_addr base = 0;
    must(tarn_memory_alloc(device, 65536, &base));
    must(tarn_annotate_heap_begin(base, 65536, "bump"));
    must(tarn_annotate_region_begin_with(REGION_OF(base, 1000, 1024, stream, "first")));
    must(tarn_annotate_region_begin_with(REGION_OF(base + 1000, 1000, 1024, stream, "second")));
    must(tarn_annotate_region_end(base, stream));
    must(tarn_annotate_region_end(base + 1000, stream));
    must(tarn_annotate_heap_end(base));
    must(tarn_memory_free(base, 0));
    must(tarn_stream_destroy(stream));
    must(tarn_device_close(device));
    return 0;
}
