// SPDX-License-Identifier: Apache-2.0
// Blocks touch each other but do not overlap: by their occupied bytes, after one shrank, grew back, and
// in bytes whose last owner ended in the order of a stream.
#include "check/support/tarn.h"

enum { POOL = 65536 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream streams[2] = {make_stream(device), make_stream(device)};
    tarn_event event = 0;
    tarn_addr base = 0;
    must(tarn_memory_alloc(device, POOL, &base));
    must(tarn_event_create(device, &event));
    must(tarn_annotate_heap_begin(base, POOL, "pool"));
    must(tarn_annotate_region_begin_with(
        REGION_OF(base + 1024, 1000, 1024, TARN_STREAM_NONE, "middle")));
    must(tarn_annotate_region_begin_with(REGION_OF(base, 1000, 1024, TARN_STREAM_NONE, "first")));
    must(tarn_annotate_region_begin_with(REGION_OF(base + 2048, 1000, 1024, streams[0], "last")));
    must(tarn_annotate_region_resize(base, 500));
    must(tarn_annotate_region_resize(base, 1024));
    must(tarn_fill(NULL, base + 2048, 1, 1, 1000, streams[0]));
    must(tarn_annotate_region_end(base + 2048, streams[0]));
    must(tarn_annotate_region_begin_with(REGION_OF(base + 2048, 2000, 2048, streams[0], "longer")));
    must(tarn_annotate_region_end(base + 2048, streams[0]));
    must(tarn_event_record(event, streams[0]));
    must(tarn_stream_wait(streams[1], event, 0));
    must(tarn_annotate_region_begin_with(
        REGION_OF(base + 2560, 500, 512, streams[1], "in its bytes")));
    must(tarn_device_synchronize(device, TARN_FOREVER));
    must(tarn_annotate_heap_reset(base));
    must(tarn_annotate_region_begin(base + 512, 2048, "over all"));
    must(tarn_annotate_region_end(base + 512, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    must(tarn_event_destroy(event));
    must(tarn_stream_destroy(streams[0]));
    must(tarn_stream_destroy(streams[1]));
    must(tarn_memory_free(base, 0));
    must(tarn_device_close(device));
    return 0;
}
