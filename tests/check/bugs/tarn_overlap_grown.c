// SPDX-License-Identifier: Apache-2.0
// A list grows in place into the block behind it.
// EXPECT: ERROR region-overlap: R1 [0x...,+200) overlaps live R2 by 72 byte(s)
// EXPECT:   resized by thread
// EXPECT:     ... main .../tarn_overlap_grown.c:16
// EXPECT:   allocated by thread
// EXPECT:     ... main .../tarn_overlap_grown.c:15
#include "check/support/tarn.h"

int main(void) {
    static char memory[4096];
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_heap_begin(base, sizeof memory, "lists"));
    must(tarn_annotate_region_begin(base, 100, "list"));
    must(tarn_annotate_region_begin(base + 128, 100, "neighbour"));
    must(tarn_annotate_region_resize(base, 200));
    must(tarn_annotate_heap_reset(base));
    must(tarn_annotate_heap_end(base));
    return 0;
}
