// SPDX-License-Identifier: Apache-2.0
// A best-fit pool splits a block that is still in use: the new block lies inside of it.
// EXPECT: ERROR region-overlap: R... [0x...,+256) overlaps live R... by 256 byte(s)
// EXPECT: and 1024 byte(s) inside region R... "whole"
// EXPECT:     ... main .../tarn_overlap_split.c:14
#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_stream streams[2] = {make_stream(device), make_stream(device)};
    tarn_addr base = 0;
    must(tarn_memory_alloc(device, 65536, &base));
    must(tarn_annotate_heap_begin(base, 65536, "best fit"));
    must(tarn_annotate_region_begin_with(REGION_OF(base, 4096, 4096, streams[0], "whole")));
    must(
        tarn_annotate_region_begin_with(REGION_OF(base + 8192, 4096, 4096, streams[1], "another")));
    must(tarn_annotate_region_end(base + 8192, streams[1])); /* the pool means the other one */
    must(tarn_annotate_region_begin_with(REGION_OF(base + 1024, 256, 256, streams[0], "part")));
    must(tarn_device_synchronize(device, TARN_FOREVER));
    must(tarn_annotate_heap_reset(base));
    must(tarn_annotate_heap_end(base));
    must(tarn_memory_free(base, 0));
    must(tarn_stream_destroy(streams[0]));
    must(tarn_stream_destroy(streams[1]));
    must(tarn_device_close(device));
    return 0;
}
