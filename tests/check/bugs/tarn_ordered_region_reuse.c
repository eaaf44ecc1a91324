// SPDX-License-Identifier: Apache-2.0
// A pool of the program, which divides memory in stream order, gives bytes to another stream without
// an event between the two.
// EXPECT: ERROR reuse-before-event: 4096 byte(s) at 0x... given to stream 0x..., freed in order of stream 0x...
// EXPECT:   allocated by thread ...
// EXPECT:     ... tarn_annotate_region_begin_with ...
// EXPECT:   freed by thread ...
// EXPECT:     ... tarn_annotate_region_end ...
// EXPECT: SUMMARY: 1 error(s), 0 warning(s)...

#include "check/support/tarn.h"

enum { POOL = 65536, BLOCK = 4096 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream one = make_stream(device), other = make_stream(device);
    tarn_addr base = 0;
    must(tarn_memory_alloc(device, POOL, &base));
    must(tarn_annotate_heap_begin(base, POOL, "ordered"));

    must(tarn_annotate_region_begin_with(REGION_OF(base, BLOCK, BLOCK, one, NULL)));
    must(tarn_fill(device, base, 1, 1, BLOCK, one));
    must(tarn_annotate_region_end(base, one));
    must(tarn_annotate_region_begin_with(REGION_OF(base, BLOCK, BLOCK, other, NULL)));
    must(tarn_annotate_region_end(base, other));

    must(tarn_stream_synchronize(one, TARN_FOREVER));
    must(tarn_stream_synchronize(other, TARN_FOREVER));
    must(tarn_annotate_heap_end(base));
    must(tarn_stream_destroy(one));
    must(tarn_stream_destroy(other));
    must(tarn_memory_free(base, 0));
    must(tarn_device_close(device));
    return 0;
}
