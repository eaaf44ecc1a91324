// SPDX-License-Identifier: Apache-2.0
// A region that ended in the order of a stream is used by later work on the same stream.
// EXPECT: ERROR use-after-free: write of 4096 byte(s) at 0x...
// EXPECT:   freed by thread ...
// EXPECT:     ... tarn_annotate_region_end ...

#include "check/support/tarn.h"

enum { POOL = 65536, BLOCK = 4096 };

int main(void) {
    tarn_device *device = open_device();
    tarn_stream stream = make_stream(device);
    tarn_addr base = 0;
    must(tarn_memory_alloc(device, POOL, &base));
    must(tarn_annotate_heap_begin(base, POOL, "ordered"));
    must(tarn_annotate_region_begin_with(REGION_OF(base, BLOCK, BLOCK, stream, NULL)));
    must(tarn_annotate_region_end(base, stream));
    must(tarn_fill(device, base, 1, 1, BLOCK, stream));
    must(tarn_stream_synchronize(stream, TARN_FOREVER));
    must(tarn_annotate_heap_end(base));
    must(tarn_stream_destroy(stream));
    must(tarn_memory_free(base, 0));
    must(tarn_device_close(device));
    return 0;
}
