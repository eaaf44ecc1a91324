// SPDX-License-Identifier: Apache-2.0
// A program describes its blocks without a heap, and gives one of them out twice.
// EXPECT: ERROR region-overlap: R3 [0x...,+512) overlaps live R1 by 488 byte(s)
// EXPECT:     ... main .../tarn_overlap_loose.c:12
#include "check/support/tarn.h"

int main(void) {
    static char memory[4096];
    tarn_addr base = TARN_ADDR(memory);
    must(tarn_annotate_region_begin(base, 1000, "first"));
    must(tarn_annotate_region_begin(base + 1000, 512, "behind it"));
    must(tarn_annotate_region_begin(base + 512, 512, "second"));
    must(tarn_annotate_region_end(base + 1000, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base + 512, TARN_STREAM_NONE));
    must(tarn_annotate_region_end(base, TARN_STREAM_NONE));
    return 0;
}
