// SPDX-License-Identifier: Apache-2.0
// A pool frees a block in the order of a stream that has finished its work, and gives its bytes out again for
// any work, and for another stream.
#include "check/support/tarn.h"

int main(void) {
    tarn_device *device = open_device();
    tarn_stream streams[2] = {make_stream(device), make_stream(device)};
    tarn_addr base = 0;
    must(tarn_memory_alloc(device, 65536, &base));
    must(tarn_annotate_heap_begin(base, 65536, "pool"));
    for (int i = 0; i < 2; i++) {
        must(tarn_annotate_region_begin_with(REGION_OF(base, 1000, 1024, streams[0], "ordered")));
        must(tarn_fill(NULL, base, 1, 1, 1000, streams[0]));
        must(tarn_stream_synchronize(streams[0], TARN_FOREVER));
        must(tarn_annotate_region_end(base, streams[0]));
        tarn_stream next = i == 0 ? TARN_STREAM_NONE : streams[1];
        must(tarn_annotate_region_begin_with(REGION_OF(base, 1000, 1024, next, "next")));
        must(tarn_fill(device, base, 2, 1, 1000, next));
        must(tarn_device_synchronize(device, TARN_FOREVER));
        must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    }
    must(tarn_annotate_heap_end(base));
    must(tarn_stream_destroy(streams[0]));
    must(tarn_stream_destroy(streams[1]));
    must(tarn_memory_free(base, 0));
    must(tarn_device_close(device));
    return 0;
}
