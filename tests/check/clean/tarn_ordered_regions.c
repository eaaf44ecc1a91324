// SPDX-License-Identifier: Apache-2.0
// A pool of the program divides memory in stream order: it reuses bytes on the same stream at once, on
// another one behind an event, and for any work after a wait.

#include "check/support/tarn.h"

enum { POOL = 65536, BLOCK = 4096, USED = 4000, TURNS = 64 };

static void use_block(tarn_addr addr, tarn_stream stream) {
    must(tarn_annotate_region_begin_with(REGION_OF(addr, USED, BLOCK, stream, "ordered")));
    must(tarn_fill(NULL, addr, 1, 1, USED, stream));
    must(tarn_annotate_region_end(addr, stream));
}

int main(void) {
    tarn_device *device = open_device();
    tarn_stream streams[2] = {make_stream(device), make_stream(device)};
    tarn_event event = 0;
    tarn_addr base = 0;
    must(tarn_memory_alloc(device, POOL, &base));
    must(tarn_annotate_heap_begin(base, POOL, "ordered"));
    must(tarn_event_create(device, &event));
    for (unsigned i = 0; i < TURNS; i++) {
        use_block(base, streams[i % 2]);
        use_block(base, streams[i % 2]);
        use_block(base + BLOCK + i % 2 * BLOCK, streams[i % 2]);
        must(tarn_event_record(event, streams[i % 2]));
        must(tarn_stream_wait(streams[(i + 1) % 2], event, 0));
    }
    must(tarn_device_synchronize(device, TARN_FOREVER));
    must(tarn_annotate_region_begin(base, BLOCK, "plain"));
    must(tarn_fill(device, base, 1, 1, BLOCK, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    use_block(base, streams[0]);
    must(tarn_device_synchronize(device, TARN_FOREVER));
    must(tarn_annotate_heap_end(base));
    must(tarn_event_destroy(event));
    must(tarn_stream_destroy(streams[0]));
    must(tarn_stream_destroy(streams[1]));
    must(tarn_memory_free(base, 0));
    must(tarn_device_close(device));
    return 0;
}
