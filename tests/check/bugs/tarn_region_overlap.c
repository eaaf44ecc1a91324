// SPDX-License-Identifier: Apache-2.0
// A piece of an arena begins inside the piece before it.
// EXPECT: ERROR region-overlap: R2 [0x...,+1000) overlaps live R1
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_region_overlap.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_region_overlap.c:15

#include "check/support/tarn.h"

int main(void) {
    static char memory[65536];
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "arena"));
    must(tarn_annotate_region_begin(base, 1000, "head"));
    must(tarn_annotate_region_begin(base + 512, 1000, "tail"));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base + 512, TARN_STREAM_NONE));
    must(tarn_annotate_heap_end(base));
    return 0;
}
