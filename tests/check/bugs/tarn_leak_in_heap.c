// SPDX-License-Identifier: Apache-2.0
// A pool of the program is destroyed while a block of it is live.
// EXPECT: ERROR leak-in-heap: heap H1 ends with 1000 byte(s) in 1 region(s)
// EXPECT:   is 0 byte(s) inside region R1 [0x...) size 1000 "entry"
// EXPECT:   in heap H1 ... "cache" ...
// EXPECT:   freed by thread ...
// EXPECT:     #0 0x... tarn_annotate_heap_end ...
// EXPECT:   allocated by thread ...
// EXPECT:     #0 0x... tarn_annotate_region_begin ...
// EXPECT: SUMMARY: 1 error(s), 0 warning(s), 1000 byte(s) leaked in 1 region(s)

#include "check/support/tarn.h"

static char memory[1 << 20];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "cache"));
    must(tarn_annotate_region_begin(base, 1000, "entry"));
    must(tarn_annotate_region_begin(base + 4096, 1000, "other"));
    must(tarn_annotate_region_end(base + 4096, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
