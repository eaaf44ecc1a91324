// SPDX-License-Identifier: Apache-2.0
// A pool of the program frees a block twice.
// EXPECT: ERROR double-free: region R2 [0x...,+1000) ended again; ended first by thread ...
// EXPECT:   is 0 byte(s) inside freed region R2 [0x...) size 1000 "entry",...
// EXPECT:   in heap H1 ... size 1048576 "cache" ...
// EXPECT:   freed by thread ...
// EXPECT:   allocated by thread ...
// EXPECT:     #0 0x... tarn_annotate_region_begin ...
// EXPECT:   first freed by thread ...
// EXPECT:     #0 0x... tarn_annotate_region_end ...

#include "check/support/tarn.h"

static char memory[1 << 20];

int main(void) {
    tarn_addr base = TARN_ADDR(memory);

    must(tarn_annotate_heap_begin(base, sizeof memory, "cache"));
    must(tarn_annotate_region_begin(base, 64, "first"));
    must(tarn_annotate_region_begin(base + 4096, 1000, "entry"));
    must(tarn_annotate_region_end(base + 4096, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base + 4096, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
